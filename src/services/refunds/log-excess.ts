import type { ChargeRow } from '#db/charges/charges.ts';
import type { Deps } from '../deps.ts';

/**
 * Logs that more of a payment has gone back than was paid. A PSP may carry out a refund on its way
 * and take the same payment by the return mechanism: both are booked, and the operator may claim
 * the rest back from the PSP. `charge` is as it was before the last of them, `centavos`, was
 * booked.
 */
export function logExcess(
  { log }: Pick<Deps, 'log'>,
  charge: Pick<ChargeRow, 'id' | 'amountCentavos' | 'refundedCentavos'>,
  centavos: bigint,
): void {
  if (charge.refundedCentavos + centavos <= charge.amountCentavos) return;
  log.error({ transactionId: charge.id }, 'More of a payment went back than was paid.');
}
