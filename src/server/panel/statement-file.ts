import { statementFileInput } from '#contract/reports/statement.ts';
import { type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';
import { type OfxAccount, ofxEnd, ofxEntry, ofxStart } from '#domain/reports/ofx.ts';
import { ENTRY_WORDS, type StatementBalance } from '#domain/reports/statement-entry.ts';
import { periodInstants, startOfDay } from '#domain/reports/statement-period.ts';
import { openStatementFile, type StatementEntry, type StatementFile } from '#services/reports/get-statement.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

/** `statement.csv?balance=available&from=2026-11-01&to=2026-11-21&format=pt-BR`: the entries, oldest first. */
export const openStatementCsv: OpenExport = async (deps, { query, accountId, mode }) => {
  const { format, ...days } = statementFileInput.parse(Object.fromEntries(query));
  const file = await openStatementFile(deps, accountId, days);
  return {
    name: fileName(nameOf(days), mode, 'csv'),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: file.entries,
    pieces: csvPieces(file, format),
  };
};

/** `statement.ofx?balance=available&from=2026-11-01&to=2026-11-21` */
export const openStatementOfx: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format: _, ...days } = statementFileInput.parse(Object.fromEntries(query));
  const file = await openStatementFile(deps, accountId, days);
  const account: OfxAccount = { accountId, balance: days.balance };
  const { start, end } = periodInstants(days);
  const now = deps.clock();
  // The balance is that of the period's last second, or of now, where the period is not over.
  const asOf = end <= now ? new Date(end.getTime() - 1_000) : now;
  return {
    name: fileName(nameOf(days), mode, 'ofx'),
    mediaType: 'application/x-ofx',
    totalRows: file.entries,
    pieces: ofxPieces(file, language, account, {
      start: ofxStart({ account, now, start, end: asOf > start ? asOf : start, language }),
      end: ofxEnd({ closingCentavos: file.closingCentavos, asOf }),
    }),
  };
};

const BALANCES: Record<StatementBalance, string> = {
  available: 'disponivel',
  pending: 'a-liberar',
  blocked: 'bloqueado',
};

const nameOf = ({ balance, from, to }: { balance: StatementBalance; from: string; to: string }) => [
  'extrato',
  BALANCES[balance],
  from,
  'a',
  to,
];

/** People's columns say what an entry is in words, programs' by its name. */
const COLUMNS: [title: Record<CsvFormat, string>, cell: (entry: StatementEntry, format: CsvFormat) => CsvCell][] = [
  [{ 'pt-BR': 'Número', iso: 'number' }, ({ version }) => ({ count: version })],
  [{ 'pt-BR': 'Dia', iso: 'day' }, ({ day }) => ({ day })],
  [{ 'pt-BR': 'Data e hora', iso: 'at' }, ({ createdAt }) => ({ at: createdAt })],
  [
    { 'pt-BR': 'Lançamento', iso: 'name' },
    ({ name }, format) => (format === 'iso' ? name : ENTRY_WORDS['pt-BR'][name]),
  ],
  [{ 'pt-BR': 'Valor', iso: 'amount' }, ({ centavos }) => ({ centavos })],
  [{ 'pt-BR': 'Saldo', iso: 'balance_after' }, ({ balanceAfterCentavos: centavos }) => ({ centavos })],
  [{ 'pt-BR': 'Taxa', iso: 'fee' }, ({ feeCentavos }) => (feeCentavos === 0n ? null : { centavos: feeCentavos })],
  [{ 'pt-BR': 'Cliente', iso: 'customer_name' }, ({ customerName }) => customerName],
  [{ 'pt-BR': 'Descrição', iso: 'description' }, ({ description }) => description],
  [{ 'pt-BR': 'Transação', iso: 'transaction_id' }, ({ transactionId }) => transactionId],
];

async function* csvPieces(file: StatementFile, format: CsvFormat): AsyncGenerator<string> {
  yield csvStart(format) +
    csvRow(
      COLUMNS.map(([title]) => title[format]),
      format,
    );
  for await (const entries of file.chunks()) {
    const row = (entry: StatementEntry) =>
      csvRow(
        COLUMNS.map(([, cell]) => cell(entry, format)),
        format,
      );
    yield entries.map(row).join('');
  }
}

async function* ofxPieces(
  file: StatementFile,
  language: 'pt-BR' | 'en',
  account: OfxAccount,
  frame: { start: string; end: string },
): AsyncGenerator<string> {
  yield frame.start;
  for await (const entries of file.chunks()) {
    yield entries.map((entry) => ofxEntry({ account, ...ofxFields(entry, language) })).join('');
  }
  yield frame.end;
}

function ofxFields(entry: StatementEntry, language: 'pt-BR' | 'en') {
  const { version, createdAt, day, centavos, transactionId, customerName, description } = entry;
  const word = ENTRY_WORDS[language][entry.name];
  const begin = startOfDay(day);
  return {
    version,
    // On the day that it counts on: tools sort by it, and hold it against the period.
    at: createdAt < begin ? begin : createdAt,
    centavos,
    transactionId,
    name: customerName ?? word,
    memo: description ? `${word} - ${description}` : word,
  };
}
