import type { PixPaymentRefund, PixRail } from '#rails/ports.ts';
import { bookPayment } from '#services/unmatched/book-payment.ts';
import type { TestService } from './test-service.ts';

/** Books that so much of a paid charge went back to its payer by the return mechanism (MED). */
export async function returnByMed(
  { deps }: Pick<TestService, 'deps'>,
  chargeId: string,
  centavos: bigint,
): Promise<string> {
  const { rows } = await deps.db.pool.query<{ endToEndId: string; rail: string; amountCentavos: bigint; paidAt: Date }>(
    `SELECT end_to_end_id AS "endToEndId", rail, amount_centavos AS "amountCentavos", paid_at AS "paidAt"
     FROM transactions WHERE id = $1`,
    [chargeId],
  );
  const [paid] = rows;
  if (!paid) throw new Error(`There is no charge ${chargeId}.`);
  const { rail, ...payment } = paid;
  const refund: PixPaymentRefund = {
    refundId: 'med1',
    returnId: `D${paid.endToEndId.slice(1)}`,
    amountCentavos: centavos,
    completed: true,
    kind: 'med_return',
    at: deps.clock(),
  };
  const listed = { ...payment, txid: null, payerNote: null, refunds: [refund] };
  return bookPayment(deps, (await deps.rails.pixNamed(rail)) as PixRail, listed);
}
