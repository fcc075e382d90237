import type { BatchView } from '#contract/withdrawals/payout-batches.ts';
import { csvRow, csvStart } from '#domain/reports/csv.ts';
import { KNOWN_COLUMNS } from '#domain/withdrawals/payout-batch.ts';
import { keyText } from './key-text.ts';

type Row = BatchView['rows'][number];

/** A row that was rejected, or whose withdrawal failed: its money is in the balance. */
const hasFailed = ({ failure, transaction }: Row): boolean => failure !== null || transaction?.status === 'failed';

/**
 * Returns the rows of a batch that failed, as a CSV that can be sent as a batch of its own. Keys
 * have their punctuation, because a spreadsheet drops the leading zeros of a number.
 */
export function failedRowsFile(rows: readonly Row[]): string {
  const lines = rows
    .filter(hasFailed)
    .map((row) => [
      row.amount.toFixed(2).replace('.', ','),
      keyText(row),
      row.pix_key_type,
      row.description,
      row.reference,
    ]);
  return csvStart('pt-BR') + [[...KNOWN_COLUMNS], ...lines].map((cells) => csvRow(cells, 'pt-BR')).join('');
}
