import { z } from 'zod';
import { transactionListInput } from '#contract/transactions/transactions.ts';
import { CSV_FORMATS, type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { externalIdOf } from '#domain/webhooks/events.ts';
import { openTransactionsFile } from '#services/reports/open-transactions-file.ts';
import type { ListedTransaction } from '#services/transactions/list-transactions.ts';
import { transactionFilters } from '../procedures/transactions/transaction-filters.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';
import { statusWord, TYPE_WORDS } from './transaction-words.ts';

const FORMAT = z.enum(CSV_FORMATS).default('pt-BR');

/** `transactions.csv?type=pix_in&status=paid&from=…&to=…&min_amount=…&max_amount=…&text=…&format=iso`: filters as the list has them. */
export const openTransactionsCsv: OpenExport = async (deps, { query, accountId, mode }) => {
  const { format, ...filter } = readQuery(query);
  const { total, chunks } = await openTransactionsFile(deps, accountId, filter);
  return {
    name: fileName(['transacoes', dayOf(deps.clock())], mode, 'csv'),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: total,
    pieces: csvPieces(chunks(), format),
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
  /** Null: not in this file. */
  title: Record<CsvFormat, string | null>;
  cell: (transaction: ListedTransaction, format: CsvFormat) => CsvCell;
};

/** Programs find the names and values of the REST API, people the words of the page. */
const COLUMNS: readonly Column[] = [
  { title: { 'pt-BR': 'Criada em', iso: 'created_at' }, cell: ({ createdAt }) => ({ at: createdAt }) },
  { title: { 'pt-BR': 'Tipo', iso: 'type' }, cell: ({ type }, format) => (format === 'iso' ? type : TYPE_WORDS[type]) },
  {
    title: { 'pt-BR': 'Situação', iso: 'status' },
    cell: (row, format) => (format === 'iso' ? row.status : statusWord(row)),
  },
  { title: { 'pt-BR': null, iso: 'sub_status' }, cell: ({ subStatus }) => subStatus },
  {
    title: { 'pt-BR': 'Valor pedido', iso: 'requested_amount' },
    cell: ({ type, amountCentavos }) => ({
      centavos: type === 'pix_out' || type === 'crypto_out' ? -amountCentavos : amountCentavos,
    }),
  },
  // From here on what the ledger has: each of these columns adds up, and gross - fees - split - refunded = net.
  { title: { 'pt-BR': 'Valor', iso: 'gross' }, cell: ({ settledGrossCentavos: centavos }) => ({ centavos }) },
  { title: { 'pt-BR': 'Taxa', iso: 'fees' }, cell: ({ settledFeeCentavos: centavos }) => ({ centavos }) },
  { title: { 'pt-BR': 'Divisão', iso: 'split' }, cell: ({ settledSplitCentavos: centavos }) => ({ centavos }) },
  { title: { 'pt-BR': 'Estornado', iso: 'refunded' }, cell: ({ refundedCentavos: centavos }) => ({ centavos }) },
  { title: { 'pt-BR': 'Líquido', iso: 'net' }, cell: ({ settledNetCentavos: centavos }) => ({ centavos }) },
  { title: { 'pt-BR': 'Moeda', iso: 'currency' }, cell: ({ currency }) => currency },
  { title: { 'pt-BR': 'Quantidade', iso: 'crypto_amount' }, cell: settledUnits },
  { title: { 'pt-BR': 'Cliente', iso: 'customer_name' }, cell: ({ customerName }) => customerName },
  { title: { 'pt-BR': 'Destino', iso: 'destination' }, cell: ({ destination }) => destination },
  { title: { 'pt-BR': 'Descrição', iso: 'description' }, cell: ({ description }) => description },
  { title: { 'pt-BR': 'Paga em', iso: 'paid_at' }, cell: ({ paidAt }) => paidAt && { at: paidAt } },
  { title: { 'pt-BR': 'Expira em', iso: 'expires_at' }, cell: ({ expiresAt }) => expiresAt && { at: expiresAt } },
  { title: { 'pt-BR': 'Transação', iso: 'transaction_id' }, cell: ({ id }) => id },
  { title: { 'pt-BR': 'Identificador no provedor', iso: 'external_id' }, cell: (row) => externalIdOf(row) },
];

/** What arrived (positive) or was sent (negative) of a coin. */
function settledUnits({ type, units, receivedUnits, settledGrossCentavos }: ListedTransaction): CsvCell {
  if (units === null) return null;
  if (settledGrossCentavos === 0n) return { units: 0n };
  return { units: type === 'crypto_in' ? receivedUnits : -units };
}

async function* csvPieces(chunks: AsyncIterable<ListedTransaction[]>, format: CsvFormat): AsyncGenerator<string> {
  const columns = COLUMNS.filter(({ title }) => title[format] !== null);
  const row = (cells: readonly CsvCell[]) => csvRow(cells, format);
  yield csvStart(format) + row(columns.map(({ title }) => title[format]));
  for await (const transactions of chunks) {
    yield transactions.map((one) => row(columns.map(({ cell }) => cell(one, format)))).join('');
  }
}
