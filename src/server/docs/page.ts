import { createHash } from 'node:crypto';
import { type Api, groups, type Operation } from '../rest/operations.ts';
import { openApiRoute } from '../rest/own-routes.ts';
import { refusals } from '../rest/refusals.ts';
import type { Services } from '../services.ts';
import type { Answer } from '../web/answer.ts';
import { type Calling, curlLine } from './curl.ts';
import { type Field, field, fieldsOf } from './fields.ts';
import { html, Markup, prose } from './html.ts';
import { knownNow } from './known.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** The description of the API as a page that loads nothing. */
export async function docsPage(api: Api, services: Services, origin: string): Promise<Answer> {
  const calling = { origin, locked: api.locked, known: await knownNow(services) };
  return { status: 200, type: 'text/html; charset=utf-8', body: page(api, calling).text, headers };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const headers = {
  'Content-Security-Policy': policy.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store', // it has the newest ids in it
};

function page(api: Api, calling: Calling): Markup {
  const parts = groups.flatMap(([name, description]) => {
    const operations = api.operations.filter(({ group }) => group === name);
    return operations.length === 0
      ? []
      : [{ id: name.toLowerCase().replaceAll(' ', '-'), name, description, operations }];
  });
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cay ${api.version}: HTTP API</title>
<style>${new Markup(style)}</style>
<nav aria-label="Operations">
<a class="name" href="#top">Cay <small>${api.version}</small></a>
${parts.map(
  ({ id, name, operations }) => html`<section><a class="group" href="#${id}">${name}</a>
<ul>${operations.map((one) => html`<li><a href="#${one.name}">${one.summary}</a></li>`)}</ul></section>
`,
)}</nav>
<main id="top">
<header><h1>HTTP API</h1>
<p>Everything that the tools of this MCP server do, over plain HTTP with JSON. The same for programs:
<a href="${openApiRoute.path}">${openApiRoute.path}</a>. Arguments that are not known are refused, and a refusal says what was expected.</p>
<p>Each command below can be pasted into a shell as it is. Words in <code>CAPITALS</code> stand for what an earlier answer gives.${
    api.locked ? html` <code>$CAY_AUTH_TOKEN</code> is the token of this server.` : ''
  }</p></header>
${parts.map(
  ({ id, name, description, operations }) => html`<section class="group" id="${id}">
<h2>${name}</h2>
<p>${description}</p>
${operations.map((one) => article(one, api, calling))}</section>
`,
)}${refusalList(api)}</main>
<script>${new Markup(script)}</script>
</html>
`;
}

function article(operation: Operation, api: Api, calling: Calling): Markup {
  const { name, method, path, summary, description = '', parameters, body, answers } = operation;
  const { schemas } = api;
  const within = (where: string) =>
    parameters.filter((one) => one.in === where).map((one) => field(one.name, one.schema, one.required, schemas));
  return html`<article id="${name}">
<h3><a href="#${name}">${summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${description === '' ? '' : html`<p>${prose(description)}</p>`}
${fieldList('In the path', within('path'))}${fieldList('In the query', within('query'))}${
  body === null ? '' : fieldList('In the body', fieldsOf(body, schemas))
}<pre class="command"><code>${curlLine(operation, calling)}</code></pre>
${answers.slice(0, 1).map(({ mediaType, schema }) => answer(mediaType, fieldsOf(schema, schemas)))}${statuses(operation)}
</article>
`;
}

function fieldList(title: string, fields: readonly Field[]): Markup {
  if (fields.length === 0) return html``;
  return html`<h4>${title}</h4>
<dl>${fields.map(row)}</dl>
`;
}

function row({ name, type, required, usual, description }: Field): Markup {
  const notes = [...(required ? ['required'] : []), ...(usual === null ? [] : [`default ${usual}`])];
  return html`<div><dt><code>${name}</code></dt><dd><span class="type">${type}</span>${notes.map(
    (note) => html` <span class="note">${note}</span>`,
  )}${description === '' ? '' : html`<br>${prose(description)}`}</dd></div>`;
}

function answer(mediaType: string, fields: readonly Field[]): Markup {
  if (fields.length === 0) return html`<p class="answer">Answers with <code>${mediaType}</code>.</p>`;
  const shown = fields.map((one) => ({ ...one, required: false }));
  return html`<details><summary>Answer</summary><dl>${shown.map(row)}</dl></details>`;
}

function statuses({ answers, refused }: Operation): Markup {
  const all = [...answers.map(({ status }) => status), ...refused].sort((a, b) => a - b);
  return html`<p class="statuses">${all.map(
    (status) => html`<a href="#status-${status}" class="${status < 300 ? 'fine' : 'refusal'}">${status}</a> `,
  )}</p>`;
}

function refusalList({ operations }: Api): Markup {
  const used = new Set(
    operations.flatMap(({ answers, refused }) => [...answers.map(({ status }) => status), ...refused]),
  );
  const rows = Object.entries(refusals).filter(([status]) => used.has(Number(status)));
  return html`<section class="group" id="statuses">
<h2>Statuses</h2>
<p>A refusal is <code>{"error": {"code", "message"}}</code>; where an operation has a body of its own for it, that body.</p>
<dl><div id="status-200"><dt><code>200</code></dt><dd>Answered.</dd></div>${rows.map(
    ([status, { code, text }]) =>
      html`<div id="status-${status}"><dt><code>${status}</code></dt><dd><span class="type">${code}</span><br>${text}</dd></div>`,
  )}</dl>
</section>
`;
}
