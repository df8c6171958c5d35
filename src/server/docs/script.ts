/** Copies a command, and marks in the list what is on the screen. Without it the page lacks nothing else. */
export const script = `
'use strict';
if (navigator.clipboard) {
  for (const command of document.querySelectorAll('pre.command')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(command.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    command.prepend(button);
  }
}
const links = new Map([...document.querySelectorAll('nav li a')].map((link) => [link.hash.slice(1), link]));
const onScreen = new Set();
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) onScreen[isIntersecting ? 'add' : 'delete'](target.id);
  let marked = false;
  for (const [id, link] of links) {
    const isHere = !marked && onScreen.has(id);
    if (isHere) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    marked ||= isHere;
  }
}, { rootMargin: '-10% 0px -60% 0px' });
for (const article of document.querySelectorAll('article')) seen.observe(article);
`;
