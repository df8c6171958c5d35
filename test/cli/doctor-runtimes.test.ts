import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runtimeNames } from '../../src/config/runtime.ts';
import { temporaryFolder } from '../cleanup.ts';
import { cay } from './cay.ts';

interface Row {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly advice: string;
}

async function rowsWith(t: TestContext, runtime: unknown, env: NodeJS.ProcessEnv = {}): Promise<Map<string, Row>> {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ runtime }));
  const { stdout } = await cay(['doctor', '--json', '--data-dir', folder], '', env);
  const rows: Row[] = JSON.parse(stdout).rows;
  return new Map(rows.map((row) => [row.name, row]));
}

test('doctor lists the sixteen runtimes with their versions, and makes a jail', async (t) => {
  const rows = await rowsWith(t, {});
  for (const name of runtimeNames) assert.ok(rows.has(`runtime: ${name}`), name);
  assert.match(rows.get('runtime: node')?.detail ?? '', /^\d+\.\d+\.\d+, \/.*node$/);
  assert.match(rows.get('runtime: shell')?.detail ?? '', /^\d+\.\d+\.\d+, \/.*bash$/);
  assert.match(rows.get('bubblewrap')?.detail ?? '', /^bubblewrap \d+\.\d+\.\d+, and it made a jail$/);
});

test('doctor says whether the jobs of root have device nodes of their own', async (t) => {
  const row = (await rowsWith(t, {})).get('device nodes');
  if (process.getuid?.() !== 0) assert.equal(row, undefined);
  else if (row?.status === 'ok') assert.equal(row.detail, 'jobs have their own');
  else assert.match(row?.detail ?? '', /^jobs share those of the machine, and can change their mode: ./);
});

test('doctor says what is missing: of what is allowed with a warning', async (t) => {
  const bin = temporaryFolder(t);
  symlinkSync('/bin/bash', join(bin, 'bash'));
  const rows = await rowsWith(t, { allowedRuntimes: ['shell', 'ruby'] }, { PATH: bin });
  assert.equal(rows.get('runtime: shell')?.status, 'ok');
  const ruby = rows.get('runtime: ruby');
  assert.deepEqual([ruby?.status, ruby?.advice], ['warn', 'apt-get install ruby']);
  const php = rows.get('runtime: php');
  assert.equal(php?.status, 'ok');
  assert.match(php?.detail ?? '', /^not installed \(apt-get install \S+\), and not in runtime\.allowedRuntimes$/);
  const jail = rows.get('bubblewrap');
  assert.equal(jail?.status, 'warn');
  assert.match(jail?.detail ?? '', /bubblewrap is not installed: apt-get install bubblewrap/);
});

test('doctor looks at the runtimes also where the configuration is wrong', async (t) => {
  const rows = await rowsWith(t, { enabled: 'yes' });
  assert.equal(rows.get('configuration')?.status, 'fail');
  assert.equal(rows.get('runtime: shell')?.status, 'ok');
});
