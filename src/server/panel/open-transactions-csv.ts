import { z } from 'zod';
import { transactionListInput } from '#contract/transactions/transactions.ts';
import { CSV_FORMATS, type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { statusTextName } from '#domain/transactions/display-status.ts';
import { externalIdOf } from '#domain/webhooks/events.ts';
import { type Messages, messages } from '#messages/messages.ts';
import { openTransactionsFile } from '#services/reports/open-transactions-file.ts';
import type { ListedTransaction } from '#services/transactions/list-transactions.ts';
import { transactionFilters } from '../procedures/transactions/transaction-filters.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

const FORMAT = z.enum(CSV_FORMATS).default('pt-BR');

/**
 * `transactions.csv?format=iso`, with the filters that the list has: type, status, from, to,
 * min_amount, max_amount and text.
 */
export const openTransactionsCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format, ...filter } = readQuery(query);
  const texts = messages[language];
  const { total, chunks } = await openTransactionsFile(deps, accountId, filter);
  return {
    name: fileName([texts.files.transactions.name, dayOf(deps.clock())], { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: total,
    pieces: csvPieces(chunks(), format, texts),
  };
};

function readQuery(query: URLSearchParams) {
  const { cursor: _cursor, limit: _limit, format, ...given } = Object.fromEntries(query);
  return {
    ...transactionFilters(transactionListInput.parse(given)),
    format: FORMAT.parse(format),
  };
}

type Column = {
  /** As programs have it; people read the text of this name. */
  name: keyof Messages['files']['transactions']['columns'];
  cell: (transaction: ListedTransaction) => CsvCell;
  /** In the file for people, where it differs. */
  text?: (transaction: ListedTransaction, texts: Messages['panel']['transactions']) => string;
};

/** Programs find the names and values of the REST API, people the words of the page. */
const COLUMNS: readonly (Column | { name: 'sub_status'; cell: Column['cell'] })[] = [
  { name: 'created_at', cell: ({ createdAt }) => ({ at: createdAt }) },
  { name: 'type', cell: ({ type }) => type, text: ({ type }, { types }) => types[type] },
  { name: 'status', cell: ({ status }) => status, text: (row, { statuses }) => statuses[statusTextOf(row)] },
  // Part of what people read as the status.
  { name: 'sub_status', cell: ({ subStatus }) => subStatus },
  {
    name: 'requested_amount',
    cell: ({ type, amountCentavos }) => ({
      centavos: type === 'pix_out' || type === 'crypto_out' ? -amountCentavos : amountCentavos,
    }),
  },
  // From here on what the ledger has: each of these columns adds up, and gross - fees - split -
  // refunded = net.
  { name: 'gross', cell: ({ settledGrossCentavos: centavos }) => ({ centavos }) },
  { name: 'fees', cell: ({ settledFeeCentavos: centavos }) => ({ centavos }) },
  { name: 'split', cell: ({ settledSplitCentavos: centavos }) => ({ centavos }) },
  { name: 'refunded', cell: ({ refundedCentavos: centavos }) => ({ centavos }) },
  { name: 'net', cell: ({ settledNetCentavos: centavos }) => ({ centavos }) },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'crypto_amount', cell: settledUnits },
  { name: 'customer_name', cell: ({ customerName }) => customerName },
  { name: 'destination', cell: ({ destination }) => destination },
  { name: 'description', cell: ({ description }) => description },
  { name: 'reference', cell: ({ reference }) => reference },
  // As JSON, which programs read; no two transactions need have the same names.
  { name: 'metadata', cell: ({ metadata }) => metadata },
  { name: 'paid_at', cell: ({ paidAt }) => paidAt && { at: paidAt } },
  { name: 'expires_at', cell: ({ expiresAt }) => expiresAt && { at: expiresAt } },
  { name: 'transaction_id', cell: ({ id }) => id },
  { name: 'external_id', cell: (row) => externalIdOf(row) },
];

const statusTextOf = ({ type, status, subStatus, refundedCentavos }: ListedTransaction) =>
  statusTextName({ type, status, subStatus, isPartlyRefunded: refundedCentavos > 0n });

/** What arrived (positive) or was sent (negative) of a coin. */
function settledUnits({ type, units, receivedUnits, settledGrossCentavos }: ListedTransaction): CsvCell {
  if (units === null) return null;
  if (settledGrossCentavos === 0n) return { units: 0n };
  return { units: type === 'crypto_in' ? receivedUnits : -units };
}

async function* csvPieces(
  chunks: AsyncIterable<ListedTransaction[]>,
  format: CsvFormat,
  { files, panel }: Messages,
): AsyncGenerator<string> {
  const row = (cells: readonly CsvCell[]) => csvRow(cells, format);
  const columns = COLUMNS.filter((column) => column.name !== 'sub_status');
  const rowOf = (one: ListedTransaction) =>
    format === 'iso'
      ? row(COLUMNS.map(({ cell }) => cell(one)))
      : row(columns.map(({ cell, text }) => text?.(one, panel.transactions) ?? cell(one)));
  yield csvStart(format) +
    row(
      format === 'iso' ? COLUMNS.map(({ name }) => name) : columns.map(({ name }) => files.transactions.columns[name]),
    );
  for await (const transactions of chunks) yield transactions.map(rowOf).join('');
}
