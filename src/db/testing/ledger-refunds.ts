import type pg from 'pg';
import { uuidv7 } from '#domain/values/uuid.ts';
import { finishRefund, type RefundOutcome, requestRefund } from '../refunds/refunds.ts';
import { NO_MERCHANT_COLUMNS, NOW } from './ledger-fixture.ts';
import { NO_ACTOR } from './ledger-withdrawals.ts';

type NewRefund = { id: string; transactionId: string; centavos: bigint };

export const newRefund = (charge: { id: string }, centavos: bigint): NewRefund => ({
  id: uuidv7(NOW),
  transactionId: charge.id,
  centavos,
});

/** The changes of a refund, each with an event of its own. */
export const refundChanges = (db: pg.Pool, now: () => Date = () => NOW) => ({
  request: (refund: NewRefund): Promise<RefundOutcome> =>
    // Without a reference the account is not written.
    requestRefund(
      db,
      { ...refund, accountId: '', description: null, merchant: NO_MERCHANT_COLUMNS, now: now() },
      NO_ACTOR,
    ),

  async finish(id: string, done: boolean): Promise<boolean> {
    for (;;) {
      const { rows } = await db.query<{ refunded: bigint }>(
        `SELECT x.refunded_centavos AS refunded FROM refunds r JOIN transactions x ON x.id = r.transaction_id
         WHERE r.id = $1`,
        [id],
      );
      const ended = await finishRefund(db, {
        id,
        refundedCentavos: rows[0]?.refunded ?? 0n,
        done,
        returnId: done ? `D${id}` : null,
        now: now(),
        eventId: uuidv7(NOW),
        eventType: done ? 'pix_in.refunded' : 'pix_in.refund_failed',
        eventBody: '{}',
      });
      if (ended !== null) return ended;
    }
  },
});
