/** What the switch `pix.callback` makes of one payment: which callbacks, when, in which order. */
import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { MAX_ATTEMPTS } from './callback-sender.ts';
import { newEndToEndId } from './end-to-end-id.ts';
import { type Payment, presentPayment } from './payments.ts';
import type { SwitchValue } from './switches.ts';

const DELAY_SECONDS = 10;
/** A held-back callback goes out at the latest after so long. */
const HOLD_SECONDS = 10;
/** How many first tries of a callback the switch `failing` drops. */
const DROPPED_TRIES = 2;

/** Writes the callbacks of `payment` in the payment's own transaction, and lets go those that waited for it. */
export async function planCallbacks(
  db: ClientBase,
  mode: SwitchValue<'pix.callback'>,
  payment: Payment,
  now: Date,
): Promise<void> {
  if (mode === 'never') return;
  const holdUntil = secondsAfter(now, HOLD_SECONDS);

  if (mode === 'reordered') {
    // Two payments at once must not both be held back: one of them is the other's "next".
    await db.query("SELECT pg_advisory_xact_lock(hashtext('sandbox.reordered'))");
    if (!(await isOneHeldBack(db, payment.chave, now))) {
      await insertCallback(db, payment, { dueAt: holdUntil, awaitsNext: true });
      return;
    }
  }

  let forgedId: string | null = null;
  if (mode === 'forged') {
    for (const forged of forgeries(payment, now)) {
      forgedId = await insertCallback(db, forged, {
        dueAt: forgedId ? holdUntil : now,
        waitsFor: forgedId,
        // Nobody insists on a forgery, and the true callback waits for its end.
        maxAttempts: 1,
      });
    }
  }

  const id = await insertCallback(db, payment, {
    dueAt: mode === 'delayed' ? secondsAfter(now, DELAY_SECONDS) : forgedId ? holdUntil : now,
    waitsFor: forgedId,
    droppedTries: mode === 'failing' ? DROPPED_TRIES : 0,
  });
  if (mode === 'twice') await insertCallback(db, payment, { dueAt: now });
  await db.query(
    `UPDATE sandbox.callbacks SET waits_for = $1, awaits_next = false
     WHERE state = 'due' AND awaits_next AND attempts = 0 AND chave = $2 AND due_at > $3`,
    [id, payment.chave, now],
  );
}

/** A payment that does not exist at all, and one of the true charge that was never made. */
function forgeries(payment: Payment, now: Date): Payment[] {
  const invented = { ...payment, end_to_end_id: newEndToEndId(now) };
  return [
    { ...invented, txid: randomBytes(16).toString('hex') },
    { ...invented, end_to_end_id: newEndToEndId(now) },
  ];
}

async function isOneHeldBack(db: ClientBase, chave: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT 1 FROM sandbox.callbacks
     WHERE state = 'due' AND awaits_next AND attempts = 0 AND chave = $1 AND due_at > $2 LIMIT 1`,
    [chave, now],
  );
  return rowCount === 1;
}

async function insertCallback(
  db: ClientBase,
  payment: Payment,
  plan: { dueAt: Date; awaitsNext?: boolean; waitsFor?: string | null; maxAttempts?: number; droppedTries?: number },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO sandbox.callbacks (chave, body, due_at, max_attempts, dropped_tries, waits_for, awaits_next)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      payment.chave,
      JSON.stringify({ pix: [presentPayment(payment)] }),
      plan.dueAt,
      plan.maxAttempts ?? MAX_ATTEMPTS,
      plan.droppedTries ?? 0,
      plan.waitsFor ?? null,
      plan.awaitsNext ?? false,
    ],
  );
  return (rows[0] as { id: string }).id;
}

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
