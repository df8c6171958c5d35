import Handlebars from 'handlebars/dist/cjs/handlebars.js';

Handlebars.registerHelper(
  'loud',
  (text) => new Handlebars.SafeString(`<b>${Handlebars.escapeExpression(text).toUpperCase()}</b>`),
);
Handlebars.registerHelper('times', (n, options) =>
  Array.from({ length: n }, (_, i) => options.fn({ i }, { data: { first: !i } })).join(''),
);
Handlebars.registerPartial('row', '<li class="{{cls}}">{{name}}{{#if @last}}!{{/if}}{{> (lookup . "extra")}}</li>');
Handlebars.registerPartial('none', '');
Handlebars.registerPartial('some', '({{name}})');
const template = Handlebars.compile(
  '<h1>{{loud title}}</h1>{{#each rows as |row key|}}{{> row row cls="c"}}{{else}}empty{{/each}}{{#times 3}}{{i}}{{#unless @first}},{{/unless}}{{/times}}{{{raw}}} {{#with deep}}{{a.b.[0]}} {{../title}}{{/with}}',
);
const later = [];

globalThis.work = (round) => {
  let text = '';
  for (let turn = 0; turn < 300; turn++) {
    const rows = Array.from({ length: turn % 4 }, (_, i) => ({ name: `<${i}>`, extra: i % 2 ? 'some' : 'none' }));
    text = template({ title: `t & ${round}.${turn}`, rows, raw: '<i/>', deep: { a: { b: [turn] } } });
  }
  later.push(Handlebars.compile(`round {{n}} of ${round}{{#if n}} yes{{^}} no{{/if}}`));
  let error = '';
  try {
    Handlebars.compile('{{#if}}')({});
  } catch (caught) {
    error = caught.message;
  }
  const code = Handlebars.precompile('{{a}}{{#each b}}{{this}}{{/each}}');
  return JSON.stringify([
    text,
    later.map((t, n) => t({ n })),
    error,
    code.length,
    Handlebars.parse('{{x.y}} t').body.length,
  ]);
};
