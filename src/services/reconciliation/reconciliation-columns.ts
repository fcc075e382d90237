import type { ReconciledDay, ReconciliationItem } from '#db/reconciliation/reconciled-days.ts';
import { amountCell, BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import type { CsvCell } from '#domain/reports/csv.ts';

type Column<T> = (row: T) => CsvCell;

const reais = (centavos: bigint | undefined | null): CsvCell =>
  centavos === undefined || centavos === null ? null : { centavos };
const at = (instant: Date | null): CsvCell => instant && { at: instant };

/**
 * Returns the unexplained difference of a day, with its sign. For coins the balance is left out,
 * because it is not of that day (see coins_compare_balances).
 */
export const differenceOf = ({ currency, differenceAmount, balanceDifferenceAmount }: ReconciledDay): bigint =>
  currency === BRL ? differenceAmount + balanceDifferenceAmount : differenceAmount;

/** The columns of a file of days, by the names that programs read. */
export const DAY_COLUMNS = {
  day: ({ day }) => ({ day }),
  rail: ({ rail }) => rail,
  currency: ({ currency }) => currency,
  checked_at: ({ checkedAt }) => at(checkedAt),
  psp_opening: ({ currency, theirs }) => amountCell(theirs.openingAmount, currency),
  psp_received: ({ currency, theirs }) => amountCell(theirs.receivedAmount, currency),
  psp_returned: ({ currency, theirs }) => amountCell(theirs.returnedAmount, currency),
  psp_sent: ({ currency, theirs }) => amountCell(theirs.sentAmount, currency),
  psp_fees: ({ currency, feesAmount }) => amountCell(feesAmount, currency),
  psp_unlisted: ({ currency, balanceDifferenceAmount }) => amountCell(balanceDifferenceAmount, currency),
  psp_closing: ({ currency, theirs }) => amountCell(theirs.closingAmount, currency),
  psp_balance: ({ currency, balanceAmount }) => amountCell(balanceAmount, currency),
  ledger_opening: ({ currency, ours }) => amountCell(ours.openingAmount, currency),
  ledger_received: ({ currency, ours }) => amountCell(ours.receivedAmount, currency),
  ledger_returned: ({ currency, ours }) => amountCell(ours.returnedAmount, currency),
  ledger_sent: ({ currency, ours }) => amountCell(ours.sentAmount, currency),
  ledger_closing: ({ currency, ours }) => amountCell(ours.closingAmount, currency),
  ledger_received_brl: ({ oursCentavos }) => reais(oursCentavos?.received),
  ledger_sent_brl: ({ oursCentavos }) => reais(oursCentavos?.sent),
  other_days: ({ currency, explainedAmount }) => amountCell(explainedAmount, currency),
  difference: (day) => amountCell(differenceOf(day), day.currency),
  unexplained: ({ currency, unexplainedAmount }) => amountCell(unexplainedAmount, currency),
  unreadable: ({ unreadable }) => ({ count: BigInt(unreadable) }),
} as const satisfies Record<string, Column<ReconciledDay>>;

export type ItemRow = { day: ReconciledDay; item: ReconciliationItem };

/** The columns of a file of differences. */
export const ITEM_COLUMNS = {
  day: ({ day }) => ({ day: day.day }),
  rail: ({ day }) => day.rail,
  currency: ({ day }) => day.currency,
  reason: ({ item }) => item.why,
  kind: ({ item }) => item.kind,
  key: ({ item }) => item.key,
  end_to_end_id: ({ item }) => item.endToEndId,
  return_id: ({ item }) => item.returnId,
  psp_amount: ({ day, item }) => amountCell(item.theirsAmount, day.currency),
  ledger_amount: ({ day, item }) => amountCell(item.oursAmount, day.currency),
  ledger_brl: ({ item }) => reais(item.oursCentavos),
  difference: ({ day, item }) => amountCell(item.unexplainedAmount, day.currency),
  psp_at: ({ item }) => at(item.theirsAt),
  ledger_at: ({ item }) => at(item.oursAt),
  transaction_id: ({ item }) => item.transactionId,
} as const satisfies Record<string, Column<ItemRow>>;
