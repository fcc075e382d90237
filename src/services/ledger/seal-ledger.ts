import { hash } from 'node:crypto';
import { closeDay, findDayWithoutHead, findLastHead, sealTransfers } from '#db/ledger/ledger-seals.ts';
import { merkleTree } from '#domain/ledger/merkle-tree.ts';
import { headText, NO_PREVIOUS } from '#domain/ledger/proof-text.ts';
import { signAuditHead } from '../audit/sign-audit-head.ts';
import type { Deps } from '../deps.ts';
import { hashLeaves } from './hash-leaves.ts';
import { getSigningKey } from './signing-key.ts';

/** Some tens of milliseconds a statement. */
const BATCH_TRANSFERS = 1_000;
/** Transactions that began before the barrier end within milliseconds, or seconds at most. */
const PAUSE_MS = 100;
const PAUSES_MAX = 20;

/**
 * Puts committed transfers into the chains of the ledger proof, and signs the heads of the days
 * that are over (docs/adr/0042-the-ledger-proof.md), with those of the audit. Any number of
 * processes may call it: one at a time seals, and another continues where it stopped.
 */
export async function sealLedger(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  for (let pauses = 0; pauses < PAUSES_MAX && !isStopping(); ) {
    const step = await sealTransfers(deps.db.pool, deps.clock(), BATCH_TRANSFERS);
    if (step === 'done' || step === 'busy') return;
    if (step === 'day_over') await signHead(deps);
    // The first two `waiting` steps write a horizon and its barrier, and need no pause.
    if (step === 'waiting' && pauses++ > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function signHead(deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>): Promise<void> {
  const { pool } = deps.db;
  const day = await findDayWithoutHead(pool);
  if (!day) return;
  const last = await findLastHead(pool);
  const leaves = await hashLeaves(deps, day);
  const root = merkleTree(leaves).root.toString('hex');
  const text = headText({ day, previous: last?.hash ?? NO_PREVIOUS, root, leaves: leaves.length });
  const key = await getSigningKey(deps);
  const { publicKey, sign } = key;
  // Before the ledger's head, so that a day that is closed has both.
  await signAuditHead(deps, day, key);
  await closeDay(pool, {
    ...{ day, previous: last?.hash ?? null, leaves: leaves.length, root, publicKey },
    hash: hash('sha256', text, 'hex'),
    signature: sign(text),
    now: deps.clock(),
  });
}
