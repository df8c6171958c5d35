import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type AuditKind, auditHash, type JsonValue, type NewAuditRecord, noHash } from '../../../src/store/audit.ts';
import type { TestedStore } from '../contract.ts';
import { openFor } from './places.ts';

const record = (kind: AuditKind, job: string = randomUUID(), details = {}): NewAuditRecord => ({
  kind,
  job,
  details,
  at: new Date().toISOString(),
});

export function testAudit(name: string, make: () => TestedStore): void {
  describe(`${name}: the audit log`, () => {
    const place = openFor(make);

    test('without records it has a head all the same', async () => {
      assert.deepEqual(await place.store.audit.head(), { records: 0, hash: noHash, last: 0 });
      assert.deepEqual(await place.store.audit.newest({ limit: 10 }), []);
    });

    test('records that are appended at once follow each other in the order of the calls', async () => {
      const { audit } = place.store;
      const { records: had } = await audit.head();
      const jobs = Array.from({ length: 1200 }, (_, index) => `at once ${index}`);
      const receipts = await Promise.all(jobs.map((job) => audit.append(record('refused', job))));
      assert.deepEqual(
        receipts.map(({ sequence }) => sequence),
        jobs.map((_, index) => had + index + 1),
      );
      const stored = await audit.after(had, 2000);
      assert.deepEqual(
        stored.map(({ text }) => JSON.parse(text).job),
        jobs,
      );
      let previous = (await audit.after(had - 1, 1)).find(({ sequence }) => sequence === had)?.hash ?? noHash;
      for (const [index, { text, hash, sequence }] of stored.entries()) {
        assert.equal(hash, auditHash(text));
        assert.equal(hash, receipts[index]?.hash);
        assert.deepEqual([JSON.parse(text).previous, JSON.parse(text).sequence], [previous, sequence]);
        previous = hash;
      }
      const head = await audit.head();
      assert.deepEqual(head, { records: had + 1200, hash: previous, last: had + 1200 });
    });

    test('the text has its names in order, and whatever was said', async () => {
      const said = { z: [{ b: 1, a: null }], a: '\u0000 ü 😀', nested: { y: true, x: 'ß' } };
      await place.store.audit.append(record('refused', 'job', said));
      const [last] = await place.store.audit.newest({ limit: 1 });
      const text = last?.text ?? '';
      assert.deepEqual(JSON.parse(text).details, said);
      assert.match(text, /^\{"at":".*"details":\{"a":.*"nested":\{"x":"ß","y":true\},"z":\[\{"a":null,"b":1\}\]\}/);
    });

    test('the newest come first, and `before` goes on from there', async () => {
      const { audit } = place.store;
      for (let i = 0; i < 5; i++) await audit.append(record('refused'));
      const { last } = await audit.head();
      const sequences = async (query: { limit: number; before?: number }) =>
        (await audit.newest(query)).map(({ sequence }) => sequence);
      assert.deepEqual(await sequences({ limit: 2 }), [last, last - 1]);
      assert.deepEqual(await sequences({ limit: 2, before: last - 1 }), [last - 2, last - 3]);
    });

    test('a job is open from its start to its end, also over a restart', async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await place.store.audit.append(record('start', one, { of: 'one' }));
      await place.store.audit.append(record('start', two));
      await place.store.audit.append(record('refused'));
      await place.store.audit.append(record('end', two));
      const open = await (await place.reopen()).audit.open();
      assert.deepEqual(
        open.map(({ job, text }) => [job, JSON.parse(text ?? '').details]),
        [[one, { of: 'one' }]],
      );
      await place.store.audit.append(record('end', one));
      assert.deepEqual(await place.store.audit.open(), []);
    });

    test('a record that is no JSON is refused, and leaves no gap', async () => {
      const { audit } = place.store;
      const cyclic: Record<string, JsonValue> = {};
      cyclic.self = cyclic;
      const { records } = await audit.head();
      const [refused, kept] = await Promise.allSettled([
        audit.append(record('start', 'cyclic', cyclic)),
        audit.append(record('refused')),
      ]);
      assert.equal(refused.status, 'rejected');
      assert.equal(kept.status === 'fulfilled' && kept.value.sequence, records + 1);
      assert.deepEqual(await audit.open(), []);
    });
  });
}
