import { statementFileInput } from '#contract/reports/statement.ts';
import type { CsvCell } from '#domain/reports/csv.ts';
import { type OfxAccount, ofxEnd, ofxEntry, ofxStart } from '#domain/reports/ofx.ts';
import type { StatementBalance } from '#domain/reports/statement-entry.ts';
import { periodInstants, startOfDay } from '#domain/reports/statement-period.ts';
import type { Language } from '#domain/values/language.ts';
import { type Messages, messages } from '#messages/messages.ts';
import { openStatementFile, type StatementEntry, type StatementFile } from '#services/reports/get-statement.ts';
import { csvPieces } from './csv-pieces.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

/**
 * `statement.csv?balance=available&from=2026-11-01&to=2026-11-21&format=pt-BR`: the entries, oldest
 * first.
 */
export const openStatementCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format, ...days } = statementFileInput.parse(Object.fromEntries(query));
  const file = await openStatementFile(deps, accountId, days);
  const { files, panel } = messages[language];
  const columns =
    format === 'iso' ? COLUMNS : { ...COLUMNS, name: (entry: StatementEntry) => panel.statement.entries[entry.name] };
  return {
    name: fileName(nameOf(days, language), { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: file.entries,
    pieces: csvPieces({ format, columns, titles: files.statement.columns }, file.chunks()),
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
    name: fileName(nameOf(days, language), { mode, language, extension: 'ofx' }),
    mediaType: 'application/x-ofx',
    totalRows: file.entries,
    pieces: ofxPieces(file, language, account, {
      start: ofxStart({ account, now, start, end: asOf > start ? asOf : start, language }),
      end: ofxEnd({ closingCentavos: file.closingCentavos, asOf }),
    }),
  };
};

const nameOf = ({ balance, from, to }: { balance: StatementBalance; from: string; to: string }, language: Language) => {
  const { files, panel } = messages[language];
  return [files.statement.name, panel.statement.balances[balance], from, files.statement.to, to];
};

type Columns = Record<keyof Messages['files']['statement']['columns'], (entry: StatementEntry) => CsvCell>;

/** For programs the kind of an entry is a name, for people it is in words. */
const COLUMNS: Columns = {
  number: ({ version }) => ({ count: version }),
  day: ({ day }) => ({ day }),
  at: ({ createdAt }) => ({ at: createdAt }),
  name: ({ name }) => name,
  amount: ({ centavos }) => ({ centavos }),
  balance_after: ({ balanceAfterCentavos: centavos }) => ({ centavos }),
  fee: ({ feeCentavos }) => (feeCentavos === 0n ? null : { centavos: feeCentavos }),
  customer_name: ({ customerName }) => customerName,
  description: ({ description }) => description,
  transaction_id: ({ transactionId }) => transactionId,
  destination: ({ destination }) => destination,
};

async function* ofxPieces(
  file: StatementFile,
  language: Language,
  account: OfxAccount,
  frame: { start: string; end: string },
): AsyncGenerator<string> {
  yield frame.start;
  for await (const entries of file.chunks()) {
    yield entries.map((entry) => ofxEntry({ account, ...ofxFields(entry, language) })).join('');
  }
  yield frame.end;
}

function ofxFields(entry: StatementEntry, language: Language) {
  const { version, createdAt, day, centavos, transactionId, customerName, destination, description, reference } = entry;
  const word = messages[language].panel.statement.entries[entry.name];
  const begin = startOfDay(day);
  return {
    version,
    // Within the day that it counts on: tools sort by it, and compare it with the period.
    at: createdAt < begin ? begin : createdAt,
    centavos,
    transactionId,
    name: customerName ?? destination ?? word,
    memo: [word, destination, description, reference].filter(Boolean).join(' - '),
  };
}
