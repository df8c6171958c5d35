// `npm run docs`: writes docs/reference/ anew, from the tables that the server itself works with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { referencePages } from './docs/reference.ts';
import { root } from './platform.mjs';

for (const [path, text] of referencePages()) {
  mkdirSync(dirname(`${root}${path}`), { recursive: true });
  writeFileSync(`${root}${path}`, text);
  process.stdout.write(`${path}\n`);
}
