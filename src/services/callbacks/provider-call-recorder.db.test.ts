import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteProviderCalls, findProviderCalls } from '#db/callbacks/provider-calls.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { openBodies } from '#db/requests/logged-bodies.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { ProviderCall } from '#rails/call-trace.ts';
import type { RecordDropped } from '../deps.ts';
import { createProviderCallRecorder, type ProviderCallRecorder } from './provider-call-recorder.ts';

const secretBox = createSecretBox(generateMasterKeys());
const NOW = new Date('2026-11-20T14:01:22.000Z');

let test: TestDatabase;
let db: Database;
let recorder: ProviderCallRecorder;
let warnings: { fields: object; sentence: string }[] = [];
let dropped: RecordDropped[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  db = openDatabase(test.url);
});
beforeEach(() => {
  warnings = [];
  dropped = [];
  recorder = createProviderCallRecorder({ db, secretBox, clock: () => NOW, log, observe });
});
afterEach(() => recorder.stop());
afterAll(async () => {
  await db.close();
  await test.drop();
});

const observe = (what: RecordDropped) => void dropped.push(what);
const log = { warn: (fields: object, sentence: string) => void warnings.push({ fields, sentence }) };

const exchange = (transactionId: string, more: Partial<ProviderCall> = {}): ProviderCall => ({
  transactionId,
  rail: 'psp',
  operation: 'createCharge',
  method: 'PUT',
  target: 'psp.example.com/v2/cob/abc',
  status: 201,
  durationMs: 41.234,
  request: '{"valor":{"original":"10.00"},"chave":"a@b.co"}',
  response: { status: 'ATIVA' },
  secrets: [],
  ...more,
});

describe('the record of calls to providers', () => {
  it('has every call in its order once the recorder has stopped, masked and sealed', async () => {
    const id = uuidv7(NOW);
    recorder.record(exchange(id));
    recorder.record(exchange(id, { status: null, response: undefined }));
    recorder.record(exchange(id, { status: 422 }));
    recorder.record(exchange(id, { status: 503 }));
    await recorder.stop();
    const kept = await findProviderCalls(db.pool, id, 10);
    expect(JSON.stringify(kept.map(({ id: _, ...row }) => row))).not.toContain('valor');
    const rows = kept.map((row) => openBodies(secretBox, 'call', id, row));
    expect(rows.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['done', 201],
      ['silent', null],
      ['rejected', 422],
      ['failed', 503],
    ]);
    expect(rows[0]).toMatchObject({
      operation: 'createCharge',
      durationMs: 41.2,
      requestBody: '{"valor":{"original":"10.00"},"chave":"***"}',
      responseBody: '{"status":"ATIVA"}',
      at: NOW,
    });
  });

  it('drops calls that exceed the queue, reports how many, and keeps the others', async () => {
    const id = uuidv7(NOW);
    for (let n = 0; n < 1_200; n++) recorder.record(exchange(id));
    await recorder.stop();
    expect(await findProviderCalls(db.pool, id, 5_000)).toHaveLength(1_000);
    expect(warnings).toEqual([{ fields: { dropped: 200 }, sentence: 'Too many provider calls to record them all.' }]);
    expect(dropped).toMatchObject([{ record: 'provider_call', reason: 'queue_full', count: 200 }]);
  });

  it('lets no failure of the database reach the caller', async () => {
    const broken = createProviderCallRecorder({
      secretBox,
      db: { pool: { query: () => Promise.reject(new Error('gone')) } as never },
      clock: () => NOW,
      log,
      observe,
    });
    broken.record(exchange(uuidv7(NOW)));
    await broken.stop();
    expect(warnings).toMatchObject([{ fields: { dropped: 1 }, sentence: 'Provider calls could not be recorded.' }]);
    expect(dropped).toMatchObject([{ record: 'provider_call', reason: 'database', count: 1 }]);
  });

  it('has calls whose texts can’t be stored, with a replacement for those characters', async () => {
    const id = uuidv7(NOW);
    recorder.record(exchange(id, { target: `psp.example.com/\0\ud83d/${'a'.repeat(282)}😀` }));
    recorder.record(exchange(id, { response: { message: '\0 \ud83d', status: 'ATIVA\0' } }));
    await recorder.stop();
    const [first, second] = (await findProviderCalls(db.pool, id, 10)).map((row) =>
      openBodies(secretBox, 'call', id, row),
    );
    expect(first?.target).toBe(`psp.example.com/\uFFFD\uFFFD/${'a'.repeat(281)}`);
    expect(second?.responseBody).toContain('message');
    expect([warnings, dropped]).toEqual([[], []]);
  });

  it('misses the call that the database rejects, and no other', async () => {
    const id = uuidv7(NOW);
    recorder.record(exchange(id, { status: 201 }));
    recorder.record(exchange('not a uuid'));
    recorder.record(exchange(id, { status: 503 }));
    await recorder.stop();
    const kept = await findProviderCalls(db.pool, id, 10);
    expect(kept.map(({ status }) => status)).toEqual([201, 503]);
    expect(dropped).toMatchObject([{ record: 'provider_call', reason: 'database', count: 1 }]);
  });

  it('can be deleted once it is older than an instant, and not before', async () => {
    const id = uuidv7(NOW);
    recorder.record(exchange(id));
    await recorder.stop();
    expect(await deleteProviderCalls(db.pool, NOW, 10_000)).toBe(0);
    while ((await deleteProviderCalls(db.pool, new Date(NOW.getTime() + 1), 1_000)) > 0);
    expect(await findProviderCalls(db.pool, id, 10)).toEqual([]);
  });
});
