import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createAudit } from '../../src/runtimes/audit/audit.ts';
import type { AuditVerdict } from '../../src/runtimes/audit/types.ts';
import { verifyAudit } from '../../src/runtimes/audit/verify.ts';
import { auditHash, auditText } from '../../src/store/audit.ts';
import { openAuditForReading } from '../../src/store/sqlite/audit-store.ts';
import { atEnd } from '../cleanup.ts';
import { sqliteFolder } from '../store/sqlite-folder.ts';

const records = 250; // more than are read at once

/** A log with records, which `tamper` then changes behind our back; what a check says of it. */
async function verdictAfter(tamper: (database: DatabaseSync) => void, count = records): Promise<AuditVerdict> {
  const place = sqliteFolder();
  const store = await place.open();
  const audit = createAudit(store.audit);
  const appended = Array.from({ length: count }, (_, index) =>
    audit.append({ kind: 'refused', job: `job ${index + 1}`, details: { command: `command ${index + 1}` } }),
  );
  await Promise.all(appended);
  await store.close();
  const database = new DatabaseSync(join(place.folder, 'cay.db'));
  tamper(database);
  database.close();
  const reopened = await place.open();
  try {
    return await createAudit(reopened.audit).verify();
  } finally {
    await reopened.close();
    await place.remove();
  }
}

/** An empty log of its own for one test. */
async function openAudit(context: TestContext) {
  const place = sqliteFolder();
  atEnd(context, () => place.remove());
  const store = await place.open();
  atEnd(context, () => store.close());
  return { audit: createAudit(store.audit), folder: place.folder };
}

function broken({ sequence, fault }: { sequence: number; fault: string }, verdict: AuditVerdict): void {
  assert.equal(verdict.ok, false);
  if (!verdict.ok) assert.deepEqual({ sequence: verdict.sequence, fault: verdict.fault }, { sequence, fault });
}

/** Writes a record anew, with the hash that it then has. */
function forge(database: DatabaseSync, sequence: number, change: Record<string, unknown>): void {
  const row = database.prepare('SELECT text FROM audit WHERE sequence = ?').get(sequence);
  const text = auditText({ ...JSON.parse(String(row?.text)), ...change });
  database.prepare('UPDATE audit SET text = ?, hash = ? WHERE sequence = ?').run(text, auditHash(text), sequence);
}

describe('a log that nobody touched', () => {
  test('is intact, also when it is empty', async () => {
    const verdict = await verdictAfter(() => {});
    assert.equal(verdict.ok && verdict.records, records);
    assert.match((verdict.ok && verdict.head) || '', /^[0-9a-f]{64}$/);
    assert.equal((await verdictAfter(() => {}, 0)).ok, true);
  });

  test('is intact while others append to it', async (context) => {
    const { audit } = await openAudit(context);
    const append = (job: string) => audit.append({ kind: 'refused', job, details: {} });
    await Promise.all(Array.from({ length: records }, (_, index) => append(`before ${index}`)));
    const checks = [audit.verify(), audit.verify()];
    const appended = Promise.all(Array.from({ length: records }, (_, index) => append(`meanwhile ${index}`)));
    for (const verdict of await Promise.all(checks)) assert.equal(verdict.ok, true);
    await appended;
    const verdict = await audit.verify();
    assert.equal(verdict.ok && verdict.records, 2 * records);
  });

  test('can be read and checked from outside while a server has it', async (context) => {
    const { audit, folder } = await openAudit(context);
    const { hash } = await audit.append({ kind: 'refused', job: 'x', details: {} });
    const other = openAuditForReading(folder);
    assert.deepEqual(other && (await verifyAudit(other.audit)), { ok: true, records: 1, head: hash });
    other?.close();
  });
});

describe('a log that somebody touched', () => {
  const run = (sql: string) => (database: DatabaseSync) => database.exec(sql);

  test('a changed field', async () => {
    const change = `UPDATE audit SET text = replace(text, 'command 120', 'command 12X') WHERE sequence = 120`;
    broken({ sequence: 120, fault: 'changed' }, await verdictAfter(run(change)));
  });

  test('a changed hash', async () => {
    const change = `UPDATE audit SET hash = replace(hash, substr(hash, 1, 4), '0000') WHERE sequence = 7`;
    broken({ sequence: 7, fault: 'changed' }, await verdictAfter(run(change)));
  });

  test('a record that is no record any more', async () => {
    broken(
      { sequence: 1, fault: 'changed' },
      await verdictAfter(run(`UPDATE audit SET text = '{' WHERE sequence = 1`)),
    );
  });

  test('a record that was written anew, with its own new hash', async () => {
    for (const sequence of [1, 2, 100, records - 1, records]) {
      const verdict = await verdictAfter((database) => forge(database, sequence, { details: { command: 'harmless' } }));
      broken({ sequence, fault: 'changed' }, verdict);
    }
  });

  test('a record that was written anew with another hash before it', async () => {
    const verdict = await verdictAfter((database) => forge(database, 60, { previous: 'f'.repeat(64) }));
    broken({ sequence: 60, fault: 'changed' }, verdict);
  });

  test('a removed record', async () => {
    for (const sequence of [1, 2, 101, records - 1]) {
      const verdict = await verdictAfter(run(`DELETE FROM audit WHERE sequence = ${sequence}`));
      broken({ sequence, fault: 'missing' }, verdict);
    }
  });

  test('a removed record whose gap was closed', async () => {
    const close = `DELETE FROM audit WHERE sequence = 50;
      UPDATE audit SET sequence = -sequence WHERE sequence > 50; UPDATE audit SET sequence = -sequence - 1 WHERE sequence < 0;
      UPDATE audit_head SET records = records - 1`;
    broken({ sequence: 50, fault: 'missing' }, await verdictAfter(run(close)));
  });

  test('records that changed places', async () => {
    for (const [one, other] of [
      [1, 2],
      [30, 31],
      [30, 220],
      [records - 1, records],
    ]) {
      const swap = `UPDATE audit SET sequence = -1 WHERE sequence = ${one};
        UPDATE audit SET sequence = ${one} WHERE sequence = ${other}; UPDATE audit SET sequence = ${other} WHERE sequence = -1`;
      broken({ sequence: one ?? 0, fault: 'reordered' }, await verdictAfter(run(swap)));
    }
  });

  test('a tail that was cut off', async () => {
    broken({ sequence: 201, fault: 'missing' }, await verdictAfter(run('DELETE FROM audit WHERE sequence > 200')));
    broken({ sequence: 1, fault: 'missing' }, await verdictAfter(run('DELETE FROM audit')));
  });

  test('a tail that was cut off, with the head counted down', async () => {
    const cut = `DELETE FROM audit WHERE sequence > 200; UPDATE audit_head SET records = 200`;
    broken({ sequence: 200, fault: 'changed' }, await verdictAfter(run(cut)));
  });

  test('a record that nobody appended', async () => {
    const add = (sequence: number) => `INSERT INTO audit SELECT ${sequence}, text, hash FROM audit WHERE sequence = 5`;
    broken({ sequence: records + 1, fault: 'added' }, await verdictAfter(run(add(records + 1))));
    broken({ sequence: -3, fault: 'added' }, await verdictAfter(run(add(-3))));
  });

  test('a head that is gone', async () => {
    broken({ sequence: 1, fault: 'added' }, await verdictAfter(run('DELETE FROM audit_head')));
  });

  test('says in words what it found', async () => {
    const verdict = await verdictAfter(run('DELETE FROM audit WHERE sequence = 3'), 5);
    assert.equal(!verdict.ok && verdict.message, 'Record 3 of the audit log is missing');
  });
});

test('records are listed newest first, with all that they say', async (context) => {
  const { audit } = await openAudit(context);
  const begun = new Date().toISOString();
  const first = await audit.append({ kind: 'start', job: 'a', details: { request: { runtime: 'node', args: ['x'] } } });
  const second = await audit.append({ kind: 'end', job: 'a', details: { exitCode: null } });
  const [newest, oldest] = await audit.list({ limit: 10 });
  assert.deepEqual(oldest?.details, { request: { runtime: 'node', args: ['x'] } });
  assert.deepEqual([newest?.kind, newest?.job, newest?.details], ['end', 'a', { exitCode: null }]);
  assert.deepEqual([newest?.sequence, newest?.hash, newest?.previous], [2, second.hash, first.hash]);
  assert.ok(begun <= (oldest?.at ?? '') && (oldest?.at ?? '') <= (newest?.at ?? ''));
  assert.deepEqual(
    (await audit.list({ limit: 1, before: 2 })).map(({ sequence }) => sequence),
    [1],
  );
});

test('a job that was cut off is open until it is given an end', async (context) => {
  const { audit } = await openAudit(context);
  await audit.append({ kind: 'start', job: 'ended', details: {} });
  await audit.append({ kind: 'start', job: 'cut off', details: { repoId: 'my-repo' } });
  await audit.append({ kind: 'end', job: 'ended', details: {} });
  const open = await audit.openJobs();
  assert.deepEqual(
    open.map(({ job, details }) => [job, details]),
    [['cut off', { repoId: 'my-repo' }]],
  );
  await audit.append({ kind: 'end', job: 'cut off', details: { status: 'cut_off' } });
  assert.deepEqual(await audit.openJobs(), []);
});

test('a record that cannot be read any more says how to find out', async (context) => {
  const { audit, folder } = await openAudit(context);
  await audit.append({ kind: 'start', job: 'x', details: {} });
  const database = new DatabaseSync(join(folder, 'cay.db'));
  database.exec(`UPDATE audit SET text = 'nothing'`);
  database.close();
  assert.deepEqual(await audit.openJobs(), [{ job: 'x', details: {} }]); // a server must be able to start all the same
  await assert.rejects(audit.list({ limit: 1 }), { code: 'audit_damaged', message: /^Record 1 .*`cay audit verify`$/ });
});
