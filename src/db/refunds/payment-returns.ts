import type pg from 'pg';

/** A devolução of a payment that was never credited, asked for by a decision. */
export type PaymentReturnRow = {
  id: string;
  rail: string;
  endToEndId: string;
  centavos: bigint;
  status: 'pending' | 'completed' | 'failed';
  /** When the PSP was first asked for it. */
  sentAt: Date | null;
  createdAt: Date;
};

export async function findPaymentReturn(db: pg.Pool, id: string): Promise<PaymentReturnRow | null> {
  const { rows } = await db.query<PaymentReturnRow>({
    name: 'find-payment-return',
    text: `SELECT id, rail, end_to_end_id AS "endToEndId", centavos, status, sent_at AS "sentAt", created_at AS "createdAt"
      FROM payment_returns WHERE id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Notes when the PSP was first asked; the same return can always be asked for again. */
export async function notePaymentReturn(db: pg.Pool, id: string, now: Date): Promise<void> {
  await db.query({
    name: 'note-payment-return',
    text: 'UPDATE payment_returns SET sent_at = $2 WHERE id = $1 AND sent_at IS NULL',
    values: [id, now],
  });
}

/**
 * Ends a return; one that failed waits for another decision. Returns false when it had ended
 * before.
 */
export async function finishPaymentReturn(
  db: pg.Pool,
  end: { id: string; done: boolean; returnId: string | null; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ finished: boolean }>({
    name: 'payment-return-finish',
    text: 'SELECT payment_return_finish($1, $2, $3, $4) AS finished',
    values: [end.id, end.done, end.returnId, end.now],
  });
  return rows[0]?.finished ?? false;
}
