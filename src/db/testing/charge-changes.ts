import type pg from 'pg';
import { uuidv7 } from '#domain/values/uuid.ts';
import { closeCharge, findBalances, payCharge, reviewCharge } from '../ledger/ledger.ts';
import { NOW, newEndToEndId } from './ledger-fixture.ts';

/**
 * The changes of a charge, each with a payment and an event of its own, from `pending`, unless said
 * otherwise.
 */
export const chargeChanges = (db: pg.Pool) => ({
  pay: (id: string, change: Partial<Parameters<typeof payCharge>[1]> = {}) =>
    payCharge(db, {
      ...fresh(),
      id,
      endToEndId: newEndToEndId(),
      paidAt: NOW,
      split: { id: uuidv7(change.now ?? NOW), eventId: uuidv7(change.now ?? NOW), eventBody: '{}' },
      ...change,
    }),

  close: (id: string, change: Partial<Parameters<typeof closeCharge>[1]> = {}) =>
    closeCharge(db, { ...fresh(), id, to: 'expired', ...change }),

  review: (id: string, change: Partial<Parameters<typeof reviewCharge>[1]> = {}) =>
    reviewCharge(db, {
      ...fresh(),
      id,
      endToEndId: newEndToEndId(),
      receivedCentavos: 99n,
      paidAt: NOW,
      reason: 'amount_differs',
      reviewId: uuidv7(NOW),
      ...change,
    }),

  look: (id: string) => lookAt(db, id),
});

const fresh = () => ({ from: 'pending' as const, now: NOW, eventId: uuidv7(NOW), eventBody: '{}' });

/** Everything that a change of a charge touches. */
async function lookAt(db: pg.Pool, id: string) {
  const { rows } = await db.query<{
    accountId: string;
    status: string;
    endToEndId: string | null;
    transfers: string[];
    events: string[];
    deliveries: string[];
    tasks: string[];
    reviews: bigint;
  }>(
    `SELECT x.account_id AS "accountId", x.status, x.end_to_end_id AS "endToEndId",
      ARRAY(SELECT kind FROM ledger_transfers WHERE transaction_id = x.id ORDER BY kind) AS transfers,
      ARRAY(SELECT type FROM events WHERE transaction_id = x.id ORDER BY type) AS events,
      ARRAY(SELECT d.url FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.transaction_id = x.id) AS deliveries,
      ARRAY(SELECT kind FROM tasks WHERE subject_id = x.id OR subject_id IN
        (SELECT d.id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.transaction_id = x.id)) AS tasks,
      (SELECT count(*) FROM reviews WHERE transaction_id = x.id) AS reviews
     FROM transactions x WHERE x.id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) throw new Error('There is no such charge.');
  const { accountId, reviews, ...rest } = row;
  const balances = await findBalances(db, accountId);
  return { ...rest, reviews: Number(reviews), available: balances?.availableCentavos };
}
