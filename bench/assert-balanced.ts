import type { LedgerReport } from '#db/ledger/check-ledger.ts';

/**
 * Throws with the first discrepancy of a ledger check: the rates of a ledger that does not balance
 * mean nothing.
 */
export function assertBalanced({ discrepancies }: Pick<LedgerReport, 'discrepancies'>): void {
  if (discrepancies.length > 0) throw new Error(`The ledger does not balance: ${JSON.stringify(discrepancies[0])}`);
}
