import type pg from 'pg';

export type ForeignRefund = {
  id: string;
  rail: string;
  endToEndId: string;
  refundId: string;
  returnId: string | null;
  kind: 'made_at_bank' | 'med_return';
  centavos: bigint;
  /** When it was made at the PSP. */
  at: Date;
};

/**
 * `changed`: the charge is not as the caller saw it. `unknown_payment`: its payment was never
 * booked.
 */
export type ForeignRefundOutcome = 'booked' | 'known' | 'unknown_payment' | 'changed';

/**
 * Books a devolução that the service did not ask for, once. `charge`: the charge that its payment
 * was credited as, what had been refunded of it, and the event that says what it is afterwards;
 * null when there is no such charge.
 */
export async function recordForeignRefund(
  db: pg.Pool,
  refund: ForeignRefund,
  charge: { id: string; refundedCentavos: bigint; eventId: string; eventType: string; eventBody: string } | null,
  now: Date,
): Promise<ForeignRefundOutcome> {
  const row = {
    id: refund.id,
    rail: refund.rail,
    end_to_end_id: refund.endToEndId,
    refund_id: refund.refundId,
    return_id: refund.returnId,
    kind: refund.kind,
    centavos: String(refund.centavos),
    at: refund.at,
  };
  const { rows } = await db.query<{ outcome: ForeignRefundOutcome }>({
    name: 'foreign-refund-record',
    text: 'SELECT foreign_refund_record($1, $2, $3, $4, $5, $6, $7) AS outcome',
    values: [
      JSON.stringify(row),
      charge?.id ?? null,
      charge?.refundedCentavos ?? null,
      now,
      charge?.eventId ?? null,
      charge?.eventType ?? null,
      charge?.eventBody ?? null,
    ],
  });
  if (!rows[0]) throw new Error('foreign_refund_record answered nothing.');
  return rows[0].outcome;
}

/**
 * Which of these devoluções are ours or booked already, as keys: the end-to-end id, a space and the
 * refund's id. One of ours that has failed is not: the PSP has carried it out all the same.
 */
export async function findKnownRefunds(
  db: pg.Pool,
  rail: string,
  refunds: readonly { endToEndId: string; refundId: string; ownId: string | null }[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ key: string }>({
    name: 'find-known-refunds',
    text: `SELECT end_to_end_id || ' ' || refund_id AS key FROM foreign_refunds
          WHERE rail = ANY (rails_beside($1)) AND end_to_end_id = ANY ($2)
      UNION ALL SELECT asked.end_to_end_id || ' ' || asked.refund_id
        FROM unnest($2::text[], $3::text[], $4::uuid[]) AS asked (end_to_end_id, refund_id, own_id)
        WHERE EXISTS (SELECT FROM refunds f WHERE f.id = asked.own_id AND f.status <> 'failed')
          OR EXISTS (SELECT FROM payment_returns p WHERE p.id = asked.own_id AND p.status <> 'failed')`,
    values: [
      rail,
      refunds.map(({ endToEndId }) => endToEndId),
      refunds.map(({ refundId }) => refundId),
      refunds.map(({ ownId }) => ownId),
    ],
  });
  return new Set(rows.map(({ key }) => key));
}

/**
 * The charge that a payment was credited as, over this rail or over another one of the same
 * account; null when it was not.
 */
export async function findCreditedCharge(db: pg.Pool, rail: string, endToEndId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-credited-charge',
    text: "SELECT id FROM transactions WHERE end_to_end_id = $1 AND rail = ANY (rails_beside($2)) AND type = 'pix_in'",
    values: [endToEndId, rail],
  });
  return rows[0]?.id ?? null;
}
