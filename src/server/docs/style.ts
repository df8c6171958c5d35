/** One column on a phone; on a wide window the list of operations stands beside it. */
export const style = `
:root {
  --ground: #fdfdfc; --raised: #f5f5f2; --line: #e4e4de; --text: #22241f; --quiet: #6a6d64; --link: #2b5d8a;
  --get: #2f6b4f; --post: #8a5a12; --put: #4b5aa3; --delete: #a33b3b;
  color-scheme: light;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161815; --raised: #1e211d; --line: #30342e; --text: #dcded6; --quiet: #989c90; --link: #8ab8de;
    --get: #83c3a1; --post: #d9ab62; --put: #a3b0ee; --delete: #e79a94;
    color-scheme: dark;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
code, pre, .method { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 0.875em; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
nav { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); font-size: 0.875rem; line-height: 1.45; }
nav ul { display: none; list-style: none; margin: 0.25rem 0 0; padding: 0; }
nav section { display: inline-block; margin: 0.25rem 1rem 0 0; }
nav a { color: var(--quiet); }
nav .name { display: block; color: var(--text); font-size: 1.125rem; font-weight: 600; }
nav .name small { color: var(--quiet); font-weight: 400; font-size: 0.8125rem; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 6rem; }
h1 { font-size: 1.75rem; font-weight: 600; line-height: 1.25; margin: 0 0 0.75rem; letter-spacing: -0.01em; }
h2 { font-size: 1.375rem; font-weight: 600; line-height: 1.3; margin: 0 0 0.25rem; letter-spacing: -0.005em; }
h3 { font-size: 1.0625rem; font-weight: 600; margin: 0; }
h3 a { color: inherit; }
h4 { font-size: 0.8125rem; font-weight: 600; color: var(--quiet); margin: 1.25rem 0 0.25rem; }
p { margin: 0.5rem 0; }
section.group { margin-top: 3.5rem; }
section.group > p { color: var(--quiet); }
article { margin-top: 1.75rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.route { margin: 0.125rem 0 0.5rem; }
.method { font-weight: 600; margin-right: 0.25rem; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
dl { margin: 0; font-size: 0.9375rem; line-height: 1.5; }
dl > div { padding: 0.4375rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dt, dd { margin: 0; }
.type { color: var(--quiet); }
.note { color: var(--quiet); border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3125rem; font-size: 0.8125rem; white-space: nowrap; margin-left: 0.25rem; }
pre { margin: 1.25rem 0 0.75rem; padding: 0.875rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; line-height: 1.55; white-space: pre-wrap; font-size: 0.9375rem; }
pre button { float: right; margin: -0.25rem -0.375rem 0 0.5rem; padding: 0.125rem 0.5rem; font: 0.8125rem/1.5 system-ui, sans-serif; color: var(--quiet); background: var(--ground); border: 1px solid var(--line); border-radius: 5px; cursor: pointer; opacity: 0; transition: opacity 0.12s; }
pre:hover button, pre button:focus-visible { opacity: 1; }
pre button:hover { color: var(--text); }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.875rem; width: fit-content; }
summary:hover { color: var(--text); }
details dl { margin-top: 0.5rem; }
.answer { color: var(--quiet); font-size: 0.875rem; }
.statuses { font-size: 0.875rem; margin: 0.5rem 0 0; font-variant-numeric: tabular-nums; }
.statuses a { color: var(--quiet); margin-right: 0.5rem; }
.statuses a.fine { color: var(--get); }
:target > h3 > a, :target > h2 { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 5px; text-decoration-color: var(--link); }
@media (hover: none) { pre button { opacity: 1; } }
@media (min-width: 40rem) {
  dl > div { display: grid; grid-template-columns: 14rem 1fr; column-gap: 1rem; }
}
@media (min-width: 66rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.25rem 3rem 1.75rem; border-bottom: 0; border-right: 1px solid var(--line); }
  nav ul { display: block; }
  nav section { display: block; margin: 1.25rem 0 0; }
  nav .group { color: var(--text); font-weight: 600; }
  nav li a { display: block; padding: 0.125rem 0; }
  nav li a[aria-current] { color: var(--link); }
  main { margin: 0; padding: 1.75rem 3rem 8rem; width: 100%; max-width: 56rem; }
}
@media print { nav, pre button { display: none; } }
`;
