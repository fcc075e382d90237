/**
 * The callbacks of one notice as the switch `pix.callback` demands: which, when, in which order.
 */
import type { ClientBase } from 'pg';
import { MAX_ATTEMPTS } from '../callback-sender.ts';
import type { SwitchValue } from '../switches.ts';
import { toOwnTime } from '../test-clocks.ts';

const DELAY_SECONDS = 10;
/** A callback that is held back goes out after this long at the latest. */
const HOLD_SECONDS = 10;
/** How many first tries of a callback the switch `failing` drops. */
const DROPPED_TRIES = 2;

/**
 * The switch's values, and one that only a magic value asks for: the callback at once, and again
 * after the next one.
 */
export type CallbackMode = SwitchValue<'pix.callback'> | 'twice_out_of_order';

/** The report of a payment, or of a devolução or payout that has ended. */
type Notice = {
  /** The key whose webhook is called. */
  chave: string;
  /** The callback's entry of `pix`. */
  entry: object;
  /** Entries that are lies, for the switch `forged`. */
  forgeries: object[];
};

/**
 * Writes the callbacks of `notice` in the transaction of what it reports, and releases the
 * callbacks that waited for it.
 */
export async function planCallbacks(db: ClientBase, mode: CallbackMode, notice: Notice, at: Date): Promise<void> {
  if (mode === 'never') return;
  // Callbacks are sent by the sandbox's own time, whatever time they carry.
  const now = toOwnTime(at);
  const holdUntil = secondsAfter(now, HOLD_SECONDS);

  if (mode === 'reordered') {
    // Two at once must not both be held back: one of them is the other's "next".
    await db.query("SELECT pg_advisory_xact_lock(hashtext('sandbox.reordered'))");
    if (!(await isOneHeldBack(db, notice.chave, now))) {
      await insertCallback(db, notice, { dueAt: holdUntil, awaitsNext: true });
      return;
    }
  }

  let forgedId: string | null = null;
  if (mode === 'forged') {
    for (const entry of notice.forgeries) {
      forgedId = await insertCallback(
        db,
        { ...notice, entry },
        {
          dueAt: forgedId ? holdUntil : now,
          waitsFor: forgedId,
          // A forgery is not repeated, and the true callback waits for its end.
          maxAttempts: 1,
        },
      );
    }
  }

  await insertCallback(db, notice, {
    dueAt: mode === 'delayed' ? secondsAfter(now, DELAY_SECONDS) : forgedId ? holdUntil : now,
    waitsFor: forgedId,
    droppedTries: mode === 'failing' ? DROPPED_TRIES : 0,
    heldBackAt: now,
  });
  if (mode === 'twice') await insertCallback(db, notice, { dueAt: now });
  // After the insertion above: it waits for another's callback, not for its own.
  if (mode === 'twice_out_of_order') await insertCallback(db, notice, { dueAt: holdUntil, awaitsNext: true });
}

async function isOneHeldBack(db: ClientBase, chave: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT 1 FROM sandbox.callbacks
     WHERE state = 'due' AND awaits_next AND attempts = 0 AND chave = $1 AND due_at > $2 LIMIT 1`,
    [chave, now],
  );
  return rowCount === 1;
}

/** When and how a callback is sent; with `heldBackAt` see insertedCallback(). */
type CallbackPlan = {
  dueAt: Date;
  awaitsNext?: boolean;
  waitsFor?: string | null;
  maxAttempts?: number;
  droppedTries?: number;
  heldBackAt?: Date;
};

async function insertCallback(
  db: ClientBase,
  notice: Pick<Notice, 'chave' | 'entry'>,
  plan: CallbackPlan,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'sandbox_insert_callback',
    text: `WITH ${insertedCallback({ from: '(SELECT) AS always', firstValue: 1 })} SELECT id FROM inserted`,
    values: callbackValues(notice, plan),
  });
  return (rows[0] as { id: string }).id;
}

/**
 * Returns the part of a statement that writes a callback for the one row of `from`, a table or a
 * WITH query, by callbackValues(); those of the same key that are held back at `heldBackAt` wait
 * for it from then on.
 */
export function insertedCallback({ from, firstValue }: { from: string; firstValue: number }): string {
  const [chave, body, dueAt, maxAttempts, droppedTries, waitsFor, awaitsNext, heldBackAt] = Array.from(
    { length: 8 },
    (_, at) => `$${firstValue + at}`,
  );
  return `inserted AS (
      INSERT INTO sandbox.callbacks (chave, body, due_at, max_attempts, dropped_tries, waits_for, awaits_next)
      SELECT ${chave}, ${body}, ${dueAt}::timestamptz, ${maxAttempts}::integer, ${droppedTries}::integer,
        ${waitsFor}::bigint, ${awaitsNext}::boolean
      FROM ${from} RETURNING id
    ), waiting AS (
      UPDATE sandbox.callbacks SET waits_for = inserted.id, awaits_next = false FROM inserted
      WHERE state = 'due' AND awaits_next AND attempts = 0 AND chave = ${chave} AND due_at > ${heldBackAt}
    )`;
}

export const callbackValues = ({ chave, entry }: Pick<Notice, 'chave' | 'entry'>, plan: CallbackPlan): unknown[] => [
  chave,
  JSON.stringify({ pix: [entry] }),
  plan.dueAt,
  plan.maxAttempts ?? MAX_ATTEMPTS,
  plan.droppedTries ?? 0,
  plan.waitsFor ?? null,
  plan.awaitsNext ?? false,
  plan.heldBackAt ?? null,
];

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
