import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { call, httpClient, refused, revisions, stdioClient } from '../../server/running.ts';
import { dataFolder, execute, jobServer, queryOutput, shell } from './jobs.ts';

/** What every client must be able to do with jobs, whatever lies between. */
async function workThrough(client: Client): Promise<void> {
  const { artifactHandle, status } = await shell(client, 'echo found');
  assert.equal(status, 'success');
  const { excerpts } = await call(client, queryOutput, { artifactHandle, queryTerms: ['found'] });
  assert.equal(Object(excerpts).length, 1);
  assert.equal((await shell(client, 'exit 1')).status, 'failure', 'an outcome, not an error');
  assert.equal((await shell(client, '', { repoId: 'other' })).status, 'denied');
  assert.match(
    await refused(client, queryOutput, { artifactHandle: 'x', queryTerms: ['x'] }),
    /^Artifact 'x' not found/,
  );
  const seen: (string | undefined)[] = [];
  const given = { repoId: 'my-repo', runtime: 'shell', code: 'echo working; sleep 0.5' };
  await client.callTool({ name: execute, arguments: given }, { onprogress: ({ message }) => seen.push(message) });
  assert.deepEqual(seen, ['working']);
  const abort = new AbortController();
  const code = 'echo begun; sleep 60';
  const options = { signal: abort.signal, onprogress: () => abort.abort() };
  await assert.rejects(client.callTool({ name: execute, arguments: { ...given, code } }, options));
  assert.equal((await shell(client, 'true')).status, 'success', 'the only slot is free again');
}

const runtime = { maxConcurrentJobs: 1 };

for (const revision of revisions) {
  test(`jobs over Streamable HTTP, revision ${revision}`, async (t) => {
    const server = await jobServer(t, { runtime });
    await workThrough(await httpClient(t, server.url, { revision }));
  });

  test(`jobs over stdio, revision ${revision}`, async (t) => {
    const { folder } = dataFolder(t, { runtime });
    await workThrough(await stdioClient(t, { revision, args: ['--config', join(folder, 'config.json')] }));
  });
}
