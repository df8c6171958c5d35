import _ from 'lodash';

const people = _.range(400).map((id) => ({
  id,
  name: `n${id % 37}`,
  age: (id * 7919) % 90,
  tags: _.times(id % 5, (t) => `t${t}`),
}));
const slow = _.memoize((n) => _.range(n).reduce((sum, i) => sum + i * i, 0));
const template = _.template('<% _.forEach(rows, (row) => { %><li><%- row.name %>: <%= row.age %></li><% }) %>');
const total = _.curry((a, b, c) => a + b + c);

globalThis.work = (round) => {
  const out = [];
  for (let turn = 0; turn < 60; turn++) {
    const grouped = _(people)
      .filter((p) => p.age % (2 + (turn % 3)) === 0)
      .groupBy('name')
      .mapValues((list) => _.sumBy(list, 'age'))
      .toPairs()
      .sortBy([1, 0])
      .takeRight(5)
      .fromPairs()
      .value();
    const copy = _.cloneDeep(people[turn]);
    _.set(copy, 'deep.a[2].b', round);
    out.push(grouped, _.merge({}, copy, { deep: { c: 1 } }), _.isEqual(copy, people[turn]));
    out.push(_.orderBy(people, ['age', 'id'], ['desc', 'asc']).slice(0, 2), _.uniqBy(people, 'name').length);
    out.push(slow(round * 100 + turn), slow.cache.size, total(1)(turn)(round), _.chunk(_.range(7), 3));
  }
  people.push({ id: 1000 + round, name: _.camelCase(`later round ${round}`), age: round, tags: [] });
  out.push(
    template({ _, rows: people.slice(-3) }),
    _.words('fooBar baz-qux'),
    _.intersectionBy([2.1, 1.2], [2.3], Math.floor),
  );
  return JSON.stringify([out.length, out.slice(-40)]);
};
