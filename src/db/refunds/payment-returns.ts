import type pg from 'pg';

/** A devolução of a payment that was never credited, asked for by a decision. */
export type PaymentReturnRow = {
  id: string;
  rail: string;
  endToEndId: string;
  centavos: bigint;
  status: 'pending' | 'completed' | 'failed';
  createdAt: Date;
};

export async function findPaymentReturn(db: pg.Pool, id: string): Promise<PaymentReturnRow | null> {
  const { rows } = await db.query<PaymentReturnRow>({
    name: 'find-payment-return',
    text: `SELECT id, rail, end_to_end_id AS "endToEndId", centavos, status, created_at AS "createdAt"
      FROM payment_returns WHERE id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
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
