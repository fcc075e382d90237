import type { ReconciledDay, ReconciliationItem } from '#db/reconciliation/reconciled-days.ts';
import type { CsvCell } from '#domain/reports/csv.ts';

type Column<T> = (row: T) => CsvCell;

const centavos = (amount: bigint | null): CsvCell => (amount === null ? null : { centavos: amount });
const at = (instant: Date | null): CsvCell => instant && { at: instant };

/** The columns of a file of days, by the names that programs read. */
export const DAY_COLUMNS = {
  day: ({ day }) => ({ day }),
  rail: ({ rail }) => rail,
  checked_at: ({ checkedAt }) => at(checkedAt),
  psp_opening: ({ theirs }) => centavos(theirs.openingCentavos),
  psp_received: ({ theirs }) => centavos(theirs.receivedCentavos),
  psp_returned: ({ theirs }) => centavos(theirs.returnedCentavos),
  psp_sent: ({ theirs }) => centavos(theirs.sentCentavos),
  psp_unlisted: ({ balanceDifferenceCentavos }) => centavos(balanceDifferenceCentavos),
  psp_closing: ({ theirs }) => centavos(theirs.closingCentavos),
  psp_balance: ({ balanceCentavos }) => centavos(balanceCentavos),
  ledger_opening: ({ ours }) => centavos(ours.openingCentavos),
  ledger_received: ({ ours }) => centavos(ours.receivedCentavos),
  ledger_returned: ({ ours }) => centavos(ours.returnedCentavos),
  ledger_sent: ({ ours }) => centavos(ours.sentCentavos),
  ledger_closing: ({ ours }) => centavos(ours.closingCentavos),
  other_days: ({ explainedCentavos }) => centavos(explainedCentavos),
  difference: ({ differenceCentavos, balanceDifferenceCentavos }) =>
    centavos(differenceCentavos + balanceDifferenceCentavos),
  unexplained: ({ unexplainedCentavos }) => centavos(unexplainedCentavos),
  unreadable: ({ unreadable }) => ({ count: BigInt(unreadable) }),
} as const satisfies Record<string, Column<ReconciledDay>>;

export type ItemRow = { day: ReconciledDay; item: ReconciliationItem };

/** The same of a file of what differs. */
export const ITEM_COLUMNS = {
  day: ({ day }) => ({ day: day.day }),
  rail: ({ day }) => day.rail,
  reason: ({ item }) => item.why,
  kind: ({ item }) => item.kind,
  key: ({ item }) => item.key,
  end_to_end_id: ({ item }) => item.endToEndId,
  return_id: ({ item }) => item.returnId,
  psp_amount: ({ item }) => centavos(item.theirsCentavos),
  ledger_amount: ({ item }) => centavos(item.oursCentavos),
  difference: ({ item }) => centavos(item.unexplainedCentavos),
  psp_at: ({ item }) => at(item.theirsAt),
  ledger_at: ({ item }) => at(item.oursAt),
  transaction_id: ({ item }) => item.transactionId,
} as const satisfies Record<string, Column<ItemRow>>;
