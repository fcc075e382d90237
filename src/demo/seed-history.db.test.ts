import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeRails } from '#bootstrap/compose-rails.ts';
import { processEnvironment } from '#config/environment.ts';
import { sandboxClients, sandboxControlTokens, sandboxCryptoShop } from '#config/sandbox-account.ts';
import { migrate } from '#db/connection/migrate.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { createSandbox } from '#sandbox/sandbox.ts';
import { createTablesOn } from '#sandbox/tables.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { HISTORY_DAYS, planHistory } from './demo-plan.ts';
import { findDemoAccount } from './seed-demo.ts';
import { type HistoryParts, seedHistory } from './seed-history.ts';

const DAY_MS = 86_400_000;
/** Saturday noon in São Paulo. */
const NOW = new Date('2026-11-21T15:00:00.000Z');

/**
 * Nothing listens there: while the history is made, the shop's system is reached behind the
 * history's own port.
 */
const SHOP_URL = 'http://127.0.0.1:9/sandbox/shop/webhooks';
/** A few seconds on an idle machine; there may be many tests beside this one. */
const HISTORY_WITHIN_MS = 180_000;

let service: TestService;
let progress: string[] = [];

beforeAll(async () => {
  // Without a worker and a sandbox of its own: those of the history alone act in the past.
  service = await startTestService({ variables: { ROLE: 'web', DEMO: 'true' }, clock: () => NOW });
  // As at a start with a sandbox: the database's owner makes its tables.
  await migrate(service.deps.db, service.ownerUrl, { work: createTablesOn });
});
afterAll(() => service.stop());

/** What startService passes on; at `failAt` the sandbox fails, as if the start was killed. */
function parts({ failAt, shopUrl = SHOP_URL }: { failAt?: Date; shopUrl?: string } = {}): HistoryParts {
  const { deps } = service;
  const { db, secretBox } = deps;
  return {
    deps: { ...deps, settings: { ...deps.settings, shopUrl } },
    openSandbox: (clock) => {
      const sandbox = createSandbox({
        pool: db.pool,
        clock,
        publicHost: 'localhost:3000/sandbox',
        clients: sandboxClients(secretBox),
        controlTokens: sandboxControlTokens(secretBox),
        cryptoShops: [sandboxCryptoShop(secretBox)],
        merchantName: 'Trilho Sandbox',
        merchantCity: 'Sao Paulo',
        log: deps.log,
      });
      return {
        ...sandbox,
        async drainDueTasks() {
          if (failAt && clock() >= failAt) throw new Error('killed');
          await sandbox.drainDueTasks();
        },
      };
    },
    openRails: (to) =>
      composeRails({
        env: { ...processEnvironment(), demo: true, psp: null, plisio: null },
        db,
        secretBox,
        ...to,
        onCall: () => {},
        onQuoteRejection: () => {},
      }),
    onProgress: (message) => progress.push(message),
  };
}

const rows = async <Row>(sql: string) => (await service.deps.db.pool.query(sql)).rows as Row[];

describe('the demo’s four weeks', () => {
  test(
    'a start that is killed half-way leaves a ledger that balances, and the next one makes the rest',
    async () => {
      const half = new Date(NOW.getTime() - 14.3 * DAY_MS);
      await expect(seedHistory(parts({ failAt: half }))).rejects.toThrow('killed');
      const [{ count: before } = { count: 0n }] = await rows<{ count: bigint }>('SELECT count(*) FROM transactions');
      expect(before).toBeGreaterThan(60n);
      expect((await checkLedger(service.deps.db.pool)).discrepancies).toEqual([]);

      await seedHistory(parts());
      const made = await rows<{ id: string }>('SELECT id FROM transactions');
      const planned = planHistory(NOW).filter((step) => 'n' in step && step.do !== 'refund');
      expect(made).toHaveLength(planned.length);
      expect(progress).toHaveLength(2);
    },
    HISTORY_WITHIN_MS,
  );

  test('has every kind of transaction, in every state that a merchant meets', async () => {
    const found = await rows<{ kind: string }>(
      `SELECT DISTINCT type || ' ' || status || coalesce(' ' || sub_status, '') AS kind FROM transactions`,
    );
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'crypto_in completed',
      'crypto_in completed overpaid',
      'crypto_in completed underpaid',
      'crypto_in expired',
      'crypto_out completed',
      'pix_in cancelled',
      'pix_in expired',
      'pix_in paid',
      'pix_in pending',
      'pix_in refunded',
      'pix_out failed',
      'pix_out paid',
    ]);
    const [refunds] = await rows<{ part: bigint }>(
      `SELECT count(*) AS part FROM transactions WHERE status = 'paid' AND refunded_centavos > 0`,
    );
    expect(refunds?.part).toBeGreaterThan(0n);
  });

  test('is in the test account alone, which the printed key writes into, spread over 28 days, with ids, ledger and events in the order of time', async () => {
    const written = await findDemoAccount(service.deps, 'test');
    const [row] = await rows<{ accounts: string[]; days: bigint; first: Date; last: Date }>(
      `SELECT array_agg(DISTINCT account_id::text) AS accounts,
        count(DISTINCT (created_at AT TIME ZONE 'America/Sao_Paulo')::date) AS days, min(created_at) AS first, max(created_at) AS last
      FROM transactions`,
    );
    expect(row?.accounts).toEqual([written]);
    expect(row?.days).toBe(BigInt(HISTORY_DAYS));
    expect(row?.last.getTime()).toBeLessThanOrEqual(NOW.getTime());
    const ids = await rows<{ id: string }>('SELECT id FROM transactions ORDER BY created_at');
    expect(ids.map(({ id }) => id)).toEqual(ids.map(({ id }) => id).sort());
    const transfers = await rows<{ at: Date }>('SELECT created_at AS at FROM ledger_transfers ORDER BY id');
    expect(transfers.map(({ at }) => at.getTime())).toEqual(
      transfers.map(({ at }) => at.getTime()).sort((a, b) => a - b),
    );
    const [late] = await rows<{ count: bigint }>(
      `SELECT count(*) FROM events e JOIN transactions t ON t.id = e.transaction_id
       WHERE e.created_at > t.updated_at OR e.created_at < t.created_at`,
    );
    expect(late?.count).toBe(0n);
    const [calls] = await rows<{ first: Date; last: Date }>(
      'SELECT min(at) AS first, max(at) AS last FROM provider_calls',
    );
    expect(calls?.first.getTime()).toBeLessThan(NOW.getTime() - 26 * DAY_MS);
    expect(calls?.last.getTime()).toBeLessThanOrEqual(NOW.getTime());
  });

  test('leaves a ledger without a discrepancy, and balances that are not zero', async () => {
    const report = await checkLedger(service.deps.db.pool);
    expect(report.discrepancies).toEqual([]);
    const [balance] = await rows<{ balance: bigint }>(
      `SELECT balance_centavos AS balance FROM ledger_accounts l JOIN accounts a ON a.id = l.account_id
       WHERE a.mode = 'test' AND l.kind = 'available'`,
    );
    expect(balance?.balance).toBeGreaterThan(1_000_00n);
  });

  test('the shop’s own system got every event, some at a second attempt when that was due', async () => {
    const attempts = await rows<{ attempts: number; status: string }>(
      `SELECT d.status, (SELECT count(*)::int FROM attempts a WHERE a.delivery_id = d.id) AS attempts
       FROM deliveries d JOIN endpoints p ON p.id = d.endpoint_id`,
    );
    const [{ events } = { events: 0n }] = await rows<{ events: bigint }>('SELECT count(*) AS events FROM events');
    expect(BigInt(attempts.length)).toBe(events);
    // Five minutes are the schedule's second wait, with its jitter; the first one is seconds.
    const [waited] = await rows<{ longest: number }>(
      `SELECT max(extract(epoch FROM a.started_at - e.created_at))::int AS longest
       FROM attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id`,
    );
    expect(waited?.longest).toBeLessThan(360);
    const late = attempts.filter(({ attempts }) => attempts > 1);
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(attempts.length / 5);
    // Events of the last minutes may still wait for a second attempt.
    expect(attempts.filter(({ status }) => status !== 'delivered').length).toBeLessThanOrEqual(2);
  });

  test('leaves nothing of the past for today’s worker or sandbox to do', async () => {
    const now = NOW.toISOString();
    for (const due of [
      `tasks WHERE due_at <= '${now}'`,
      `sandbox.due_steps WHERE due_at <= '${now}'`,
      `sandbox.callbacks WHERE state <> 'sent'`,
      `transactions WHERE status IN ('pending', 'processing') AND coalesce(expires_at, created_at) <= '${now}'`,
      `inbound_callbacks WHERE processed_at IS NULL`,
    ]) {
      expect(await rows(`SELECT * FROM ${due}`), due).toEqual([]);
    }
  });

  test('a start on another port moves the shop’s endpoints, and leaves one with another URL alone', async () => {
    const moved = 'http://127.0.0.1:10/sandbox/shop/webhooks';
    await rows(`UPDATE endpoints SET url = 'http://127.0.0.1:9/elsewhere' WHERE topic = 'usdt'`);
    await seedHistory(parts({ shopUrl: moved }));
    expect(await rows('SELECT topic, url FROM endpoints ORDER BY topic')).toEqual([
      { topic: 'deposit', url: moved },
      { topic: 'withdrawal', url: moved },
      { topic: 'usdt', url: 'http://127.0.0.1:9/elsewhere' },
    ]);
  });

  test('is not made twice', async () => {
    const count = () =>
      rows('SELECT count(*) AS transactions, (SELECT count(*) FROM ledger_entries) AS entries FROM transactions');
    const before = await count();
    progress = [];
    await seedHistory(parts());
    expect(await count()).toEqual(before);
    expect(progress).toEqual([]);
  });
});
