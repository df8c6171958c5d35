import { test } from 'node:test';
import { walk } from './walk.ts';

test('everything that docs/guide.md shows is so', (t) => walk(t, 'docs/guide.md'));
