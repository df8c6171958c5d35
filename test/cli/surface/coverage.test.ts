import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgram } from '../../../src/cli/program.ts';
import { leavesOf, pathOf } from '../tree.ts';
import { jobCases } from './job-cases.ts';
import { ownCases } from './own-cases.ts';
import { serverCases } from './server-cases.ts';
import { toolCases } from './tool-cases.ts';

test('every command is tried on a terminal and in a pipe', () => {
  const nowhere = () => assert.fail('nothing is run here');
  const tables = [serverCases(nowhere), toolCases(nowhere), jobCases(nowhere), ownCases(nowhere)];
  const tried = ['serve', ...tables.flatMap((cases) => Object.keys(cases))].map((name) => `cay ${name}`);
  assert.deepEqual(leavesOf(createProgram()).map(pathOf).sort(), tried.sort());
});

test('every command that takes --json is tried with it', () => {
  const nowhere = () => assert.fail('nothing is run here');
  const tables = [serverCases(nowhere), toolCases(nowhere), jobCases(nowhere), ownCases(nowhere)];
  const without = tables.flatMap((cases) => Object.entries(cases)).filter(([, { json }]) => !json);
  assert.deepEqual(
    without.map(([name]) => name),
    ['output', 'upstreams add', 'doctor', 'completion'],
    'completion has no such flag, the others are tried elsewhere',
  );
});
