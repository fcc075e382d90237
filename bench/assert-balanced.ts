import type { LedgerReport } from '#db/ledger/check-ledger.ts';

/**
 * Throws with the first discrepancy of a ledger check: rates of a ledger that does not balance say
 * nothing.
 */
export function assertBalanced({ discrepancies }: Pick<LedgerReport, 'discrepancies'>): void {
  if (discrepancies.length > 0) throw new Error(`The ledger does not balance: ${JSON.stringify(discrepancies[0])}`);
}
