import { Marked } from 'marked';

const links = [];
const marked = new Marked({ gfm: true, breaks: true });
marked.use({
  renderer: { link: ({ href, text }) => `<a data-n="${links.push(href)}" href="${href}">${text}</a>` },
  extensions: [
    {
      name: 'mark',
      level: 'inline',
      start: (src) => src.indexOf('=='),
      tokenizer(src) {
        const match = /^==([^=]+)==/.exec(src);
        return match ? { type: 'mark', raw: match[0], text: match[1] } : undefined;
      },
      renderer: (token) => `<mark>${token.text}</mark>`,
    },
  ],
});
const page = (n) =>
  `# Title ${n}\n\nSome *emphasis* and **strong ==text==** with \`code\` and [a link](http://x/${n} "t").\n\n- one\n  1. nested\n  2. [x] task\n- two\n\n> quote\n> more <b>html</b>\n\n| a | b |\n|:--|--:|\n| ${n} | \\| |\n\n\`\`\`js\nlet x = ${n};\n\`\`\`\n\n![img](a.png) ~~del~~ https://auto.link/${n}\n***\nEnd  \nline`;

globalThis.work = (round) => {
  let size = 0;
  let last = '';
  for (let turn = 0; turn < 150; turn++) {
    last = marked.parse(page(round * 1000 + turn));
    size += last.length;
  }
  const tokens = marked.lexer(page(round));
  const kinds = tokens.map((token) => token.type);
  const inline = marked.parseInline('_a_ <br> &amp; **b ==c==**');
  return JSON.stringify([size, last, kinds, inline, links.length, links.slice(-2)]);
};
