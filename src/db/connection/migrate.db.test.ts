import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { applyMigrations, missingMigrations } from './migrate.ts';

const MIGRATIONS = readdirSync(join(import.meta.dirname, '../../../prisma/migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

let migrated: TestDatabase;
/** A database without anything in it, and a way to look into it. */
let empty: { url: string; name: string };
let server: pg.Client;

beforeAll(async () => {
  migrated = await createTestDatabase();
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  const name = `${new URL(migrated.ownerUrl).pathname.slice(1)}_empty`;
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(migrated.ownerUrl);
  url.pathname = name;
  empty = { url: url.href, name };
});
afterAll(async () => {
  await server.query(`DROP DATABASE ${empty.name} WITH (FORCE)`);
  await server.end();
  await migrated.drop();
});

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database of its own with what comes before a migration, which fails at its end, its own row; `applyRest` applies it after all. */
async function upTo(name: string, work: (url: string, applyRest: () => Promise<void>) => Promise<void>): Promise<void> {
  const fresh = `${empty.name}_2`;
  await server.query(`CREATE DATABASE ${fresh}`);
  const url = empty.url.replace(empty.name, fresh);
  try {
    await on(url, (client) =>
      client.query(
        `CREATE TABLE _prisma_migrations (
           id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
           migration_name VARCHAR(255) NOT NULL CHECK (migration_name <> '${name}'), logs TEXT,
           rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`,
      ),
    );
    await expect(applyMigrations(url)).rejects.toThrow('_prisma_migrations');
    await work(url, async () => {
      await on(url, (client) =>
        client.query('ALTER TABLE _prisma_migrations DROP CONSTRAINT _prisma_migrations_migration_name_check'),
      );
      await applyMigrations(url);
    });
  } finally {
    await server.query(`DROP DATABASE ${fresh} WITH (FORCE)`);
  }
}

const applied = (url: string) =>
  on(url, async (client) => {
    const { rows } = await client.query(
      'SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY 1',
    );
    return rows;
  });

test('processes that start together on an empty database apply each migration once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => applyMigrations(empty.url)));
  expect(await applied(empty.url)).toEqual(MIGRATIONS.map((name) => ({ name, finished: true })));
  await applyMigrations(empty.url);
  expect(await applied(empty.url)).toHaveLength(MIGRATIONS.length);
});

test('a migration that fails leaves nothing behind, and the next start applies it', async () => {
  // The one that makes what is asked for below.
  const failing = '20261121100908_panel';
  await upTo(failing, async (url, applyRest) => {
    const functions = () =>
      on(
        url,
        async (client) => (await client.query("SELECT FROM pg_proc WHERE proname = 'audit_records_are_kept'")).rowCount,
      );
    expect(await applied(url)).toEqual(
      MIGRATIONS.slice(0, MIGRATIONS.indexOf(failing)).map((name) => ({ name, finished: true })),
    );
    expect(await functions()).toBe(0);
    await applyRest();
    expect(await functions()).toBe(1);
    expect(await applied(url)).toEqual(MIGRATIONS.map((name) => ({ name, finished: true })));
  });
});

test('PIX withdrawals of before are paid from now on, their events keep the bodies that were sent', async () => {
  await upTo('20261122085000_pix_withdrawals_end_paid', async (url, applyRest) => {
    const id = (n: number) => `01a1f8f3-0000-7000-8000-${String(n).padStart(12, '0')}`;
    await on(url, (client) =>
      client.query(`
        INSERT INTO merchants (id, name, email, document, document_type, created_at)
          VALUES ('${id(1)}', 'Padaria', 'p@example.com', '12345678909', 'cpf', '2026-11-21');
        INSERT INTO accounts (id, merchant_id, mode, webhook_secret, created_at) VALUES ('${id(1)}', '${id(1)}', 'test', 's', '2026-11-21');
        INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, pix_key,
            pix_key_type, currency, units, quote_price, failure_code, created_at, updated_at)
          SELECT id::uuid, '${id(1)}', type::transaction_type, status::transaction_status, 10, 0, 10, 'r', pix, pix, coin, 1 + length(coin),
            length(coin), failure, '2026-11-21', '2026-11-21'
          FROM (VALUES ('${id(2)}', 'pix_out', 'completed', 'evp', NULL, NULL), ('${id(3)}', 'pix_out', 'failed', 'evp', NULL, 'AC03'),
            ('${id(4)}', 'pix_out', 'review', 'evp', NULL, 'provider_says_completed'), ('${id(5)}', 'crypto_out', 'completed', NULL, 'USDT', NULL)
          ) AS t (id, type, status, pix, coin, failure);
        INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
          SELECT id, account_id, id, type || '.' || status, type || '.' || status, created_at FROM transactions`),
    );
    await applyRest();
    const { rows } = await on(url, (client) =>
      client.query(`SELECT t.type, t.status, t.failure_code, e.type AS event, e.body
        FROM transactions t JOIN events e ON e.transaction_id = t.id ORDER BY t.id`),
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['pix_out', 'paid', null, 'pix_out.paid', 'pix_out.completed'],
      ['pix_out', 'failed', 'AC03', 'pix_out.failed', 'pix_out.failed'],
      ['pix_out', 'review', 'provider_says_paid', 'pix_out.review', 'pix_out.review'],
      ['crypto_out', 'completed', null, 'crypto_out.completed', 'crypto_out.completed'],
    ]);
  });
});

test('events of before that had nowhere to go are held, and who got a part of a charge has a transaction for it', async () => {
  await upTo('20261122090000_delivery_status_held', async (url, applyRest) => {
    const id = (n: number) => `01a1f8f3-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const paidAt = '2026-11-21T12:00:00.123Z';
    await on(url, (client) =>
      client.query(`
        INSERT INTO merchants (id, name, email, document, document_type, created_at)
          SELECT id::uuid, 'Padaria', id || '@example.com', '12345678909', 'cpf', '2026-11-21'
          FROM (VALUES ('${id(1)}'), ('${id(2)}')) AS m (id);
        INSERT INTO accounts (id, merchant_id, mode, webhook_secret, created_at)
          SELECT id, id, 'test', 's', '2026-11-21' FROM merchants;
        SELECT ledger_open(id, mode) FROM accounts;
        INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, split_account_id, split_centavos,
            rail, created_at, expires_at, updated_at)
          VALUES ('${id(3)}', '${id(1)}', 'pix_in', 100, 1, 59, '${id(2)}', 40, 'r', '2026-11-21', '2026-11-22', '2026-11-21');
        SELECT charge_pay('${id(3)}', 'pending', 'E1', '${paidAt}', '${paidAt}', '${id(4)}', '{}')`),
    );
    await applyRest();
    const { rows: events } = await on(url, (client) =>
      client.query(`SELECT e.id, d.status, n.topic, n.url FROM events e JOIN deliveries d ON d.event_id = e.id
        JOIN endpoints n ON n.id = d.endpoint_id AND n.account_id = e.account_id`),
    );
    expect(events).toEqual([{ id: id(4), status: 'held', topic: 'deposit', url: '' }]);
    const { rows: parts } = await on(url, (client) =>
      client.query(`SELECT t.account_id, t.status, t.amount_centavos::int, t.net_centavos::int, t.paid_at,
          uuid_extract_timestamp(t.id) = t.created_at AS in_place, f.net_centavos::int AS figure
        FROM transactions t, transaction_figures(t.split_of_id, t.account_id) AS f WHERE t.type = 'split_in'`),
    );
    expect(parts).toEqual([
      {
        account_id: id(2),
        status: 'paid',
        amount_centavos: 40,
        net_centavos: 40,
        paid_at: new Date(paidAt),
        in_place: true,
        figure: 40,
      },
    ]);
  });
});

test('a migration that was changed after it was applied is refused by its name', async () => {
  const first = MIGRATIONS[0] ?? '';
  await on(migrated.ownerUrl, async (client) => {
    expect(await missingMigrations(client)).toEqual([]);
    await client.query("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = $1", [first]);
  });
  await expect(applyMigrations(migrated.ownerUrl)).rejects.toThrow(
    `Migration ${first} was changed after it was applied: restore the file and write a new migration.`,
  );
});

test('a database of a newer version is not missing anything', async () => {
  await on(empty.url, async (client) => {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99991231000000_later', now())`,
    );
    expect(await missingMigrations(client)).toEqual([]);
  });
});
