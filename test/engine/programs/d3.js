import * as d3 from 'd3';

const data = d3.range(300).map((i) => ({ i, x: (i * 7919) % 101, y: (i * 104729) % 57, group: 'abcde'[i % 5] }));
const scale = d3.scaleLinear().domain([0, 101]).range([0, 960]).nice();
const color = d3.scaleOrdinal(d3.schemeCategory10);
const events = d3.dispatch('beat');
let beats = 0;
events.on('beat', (n) => {
  beats += n;
});

globalThis.work = (round) => {
  const out = [];
  const line = d3
    .line(
      (d) => scale(d.x),
      (d) => d.y,
    )
    .curve(d3.curveCatmullRom.alpha(0.5));
  for (let turn = 0; turn < 15; turn++) {
    out.push(
      hash(line(data.slice(turn, turn + 60))),
      d3
        .rollup(
          data,
          (v) => d3.mean(v, (d) => d.y),
          (d) => d.group,
        )
        .get('c'),
    );
    const root = d3.hierarchy({
      children: d3.groups(data, (d) => d.group).map(([name, children]) => ({ name, children })),
    });
    const packed = d3
      .pack()
      .size([200 + round, 200])
      .padding(3)(root.sum((d) => d.y ?? 0).sort((a, b) => b.value - a.value));
    const map = d3.treemap().size([400, 300 + turn])(root.copy());
    out.push(
      packed
        .leaves()
        .slice(0, 3)
        .map((leaf) => [leaf.x, leaf.r]),
      map.leaves()[turn].x1,
    );
    const delaunay = d3.Delaunay.from(
      data.slice(0, 120),
      (d) => d.x,
      (d) => d.y + d.i / 100,
    );
    out.push(delaunay.find(turn * 5, round), delaunay.voronoi([0, 0, 120, 120]).cellPolygon(turn).length);
    events.call('beat', null, turn);
  }
  const path = d3.geoPath(d3.geoMercator().scale(100).rotate([round, 0]));
  out.push(
    hash(
      path({
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [10, 40],
            [50, 10],
            [0, 0],
          ],
        ],
      }),
    ),
    color(`k${round}`),
    color('k1'),
  );
  out.push(
    scale.ticks(5),
    d3.format('$,.2f')(round * 1234.5),
    d3.utcFormat('%Y-%m-%d %j')(new Date(864e5 * 366 * round)),
  );
  out.push(
    d3.csvParse('a,b\n1,"x ""y"""\n').map((row) => row.b),
    d3.interpolateRgb('red', '#00f')(round / 8),
    beats,
  );
  out.push(
    d3
      .bin()
      .thresholds(8)(data.map((d) => d.x))
      .map((b) => b.length),
    d3.stack().keys(['x', 'y'])(data.slice(0, 3)),
  );
  return JSON.stringify(out);
};

const hash = (text) => [...text].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) | 0, 7);
