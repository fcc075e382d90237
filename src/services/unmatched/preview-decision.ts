import type { Deps } from '../deps.ts';
import { listOwnTransactions } from '../transactions/list-transactions.ts';
import { type Asked, findAssignment, findDeposit, type UnmatchedDecision } from './decide-unmatched.ts';

/** What a decision comes to: amount - fee - split = net, which is credited. */
export type DecisionFigures = {
  amountCentavos: bigint;
  feeCentavos: bigint;
  splitCentavos: bigint;
  netCentavos: bigint;
};

/**
 * Returns the figures of a payment that would be credited to a charge or an account, or why it
 * can't be credited.
 */
export async function previewDecision(
  deps: Pick<Deps, 'db' | 'secretBox' | 'clock' | 'testClock'>,
  asked: Asked & ({ chargeId: string } | { toAccountId: string }),
): Promise<DecisionFigures | UnmatchedDecision> {
  if ('chargeId' in asked) {
    const found = await findAssignment(deps, asked);
    if (typeof found === 'string') return found;
    const { amountCentavos, feeCentavos, splitCentavos, netCentavos } = found.charge;
    return { amountCentavos, feeCentavos, splitCentavos, netCentavos };
  }
  const found = await findDeposit(deps, asked);
  if (typeof found === 'string') return found;
  const { amountCentavos, feeCentavos } = found.deposit;
  return { amountCentavos, feeCentavos, splitCentavos: 0n, netCentavos: amountCentavos - feeCentavos };
}

/** The most charges in the list to choose from; a longer text finds others. */
const CHARGES_MAX = 8;

/**
 * Charges of an account that are not paid, the newest first: those with a text, or of an amount.
 * One that the PSP never took (`failed`) was shown to no payer, and is found by its text alone.
 */
export async function findUnpaidCharges(deps: Deps, accountId: string, by: { text: string } | { centavos: bigint }) {
  const ended = ['pending', 'expired', 'cancelled'] as const;
  const { transactions } = await listOwnTransactions(deps, accountId, {
    ...{ types: ['pix_in'], displayStatuses: [], from: null, to: null, paidFrom: null, paidTo: null, cursor: null },
    statuses: 'text' in by ? [...ended, 'failed'] : ended,
    minCentavos: 'centavos' in by ? by.centavos : null,
    maxCentavos: 'centavos' in by ? by.centavos : null,
    text: 'text' in by ? by.text : null,
    reference: null,
    metadata: null,
    limit: CHARGES_MAX,
  });
  return transactions;
}
