import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { payCharge } from '#db/ledger/ledger.ts';
import { insertTransaction, newEndToEndId, openTestAccount, type TestAccount } from '#db/testing/ledger-fixture.ts';
import { copyTemplate, startTestServer } from '#db/testing/test-server.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { sealLedger } from '#services/ledger/seal-ledger.ts';
import { median } from './measure.ts';

const CONNECTIONS = 16;
const ACCOUNTS = 20;
/** How many charges a side settles: some seconds of them, with several seals. */
const CHARGES = 4_000;
export const SEALING_ROUNDS = 15;
/**
 * More often than the worker, so that several seals happen in a round of seconds; fewer entries
 * share a seal.
 */
const SEAL_EVERY_MS = 500;

export type SealingCost = {
  /** Charges settled a second, medians of the rounds. */
  without: number;
  with: number;
  /** Median of the rounds' ratios. */
  ratio: number;
  /** The share of what was settled that was sealed within the time. */
  sealedShare: number;
};

/**
 * Measures what sealing costs those who post: charges settled a second over twenty accounts, with
 * the sealer beside them and without it, in turns.
 */
export async function measureSealing(progress: (text: string) => void): Promise<SealingCost> {
  const server = await startTestServer();
  try {
    const db = openDatabase((await copyTemplate(server)).url, { max: CONNECTIONS + 1 });
    try {
      const accounts: TestAccount[] = [];
      while (accounts.length < ACCOUNTS) accounts.push(await openTestAccount(db.pool, 'test'));
      const rounds: { without: number; with: number; sealedShare: number }[] = [];
      // The first round warms everything up.
      for (let round = 0; round <= SEALING_ROUNDS; round++) {
        progress(`Measuring: charges settled with and without sealing, round ${round}`);
        const rate = { without: 0, with: 0, sealedShare: 0 };
        const sides = ['without', 'with'] as const;
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const { perSecond, sealedShare } = await measureSide(db, accounts, side === 'with');
          rate[side] = perSecond;
          if (side === 'with') rate.sealedShare = sealedShare;
        }
        if (round > 0) rounds.push(rate);
      }
      return {
        without: median(rounds.map(({ without }) => without)),
        with: median(rounds.map((rate) => rate.with)),
        ratio: median(rounds.map((rate) => rate.with / rate.without)),
        sealedShare: median(rounds.map(({ sealedShare }) => sealedShare)),
      };
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

const SECRET_BOX = createSecretBox(generateMasterKeys());
const seal = (db: Database) => sealLedger({ db, secretBox: SECRET_BOX, clock: () => new Date() });

async function measureSide(db: Database, accounts: readonly TestAccount[], isSealing: boolean) {
  const ids: string[] = [];
  await inParallel(async (index) => {
    const account = accounts[index % accounts.length] as TestAccount;
    ids[index] = (await insertTransaction(db.pool, { account, amountCentavos: 149_90n })).id;
  });
  // Seals what the side before has left.
  await seal(db);
  const before = await sealedEntries(db);
  let isOver = false;
  const sealing = (async () => {
    while (isSealing && !isOver) {
      await sleep(SEAL_EVERY_MS);
      if (!isOver) await seal(db);
    }
  })();
  const start = performance.now();
  await inParallel((index) => settle(db, ids[index] ?? ''));
  const seconds = (performance.now() - start) / 1000;
  const sealed = (await sealedEntries(db)) - before;
  isOver = true;
  await sealing;
  return { perSecond: CHARGES / seconds, sealedShare: sealed / CHARGES };
}

/** The sealed entries of the settlement account: each charge has one. */
async function sealedEntries(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ version: bigint }>(
    `SELECT coalesce(max(s.version), 0) AS version FROM ledger_seals s JOIN ledger_accounts a ON a.id = s.ledger_account_id
     WHERE a.kind = 'pix_settlement' AND a.mode = 'test'`,
  );
  return Number(rows[0]?.version);
}

const EVENT_BODY = JSON.stringify({ type: 'pix_in.paid', data: randomBytes(300).toString('hex') });

function settle(db: Database, id: string) {
  const now = new Date();
  return payCharge(db.pool, {
    ...{ id, from: 'pending', endToEndId: newEndToEndId(), paidAt: now, now, split: null },
    ...{ eventId: uuidv7(now), eventBody: EVENT_BODY },
  });
}

async function inParallel(run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let index = next++; index < CHARGES; index = next++) await run(index);
    }),
  );
}
