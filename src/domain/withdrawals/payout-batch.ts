import { type FieldIssue, type Issue, issueOf } from '../errors/issues.ts';
import { isFormula } from '../reports/csv.ts';
import { JSON_CENTAVOS_MAX, toBrl } from '../values/money.ts';
import { type CsvRow, parseCsv } from '../values/parse-csv.ts';
import { readTypedAmount } from '../values/read-typed-amount.ts';
import type { PixKeyType } from './pix-key.ts';

/**
 * The most rows of a batch: a person can still look through them, and the worker runs them within a
 * minute. More payments go into several files.
 */
const BATCH_ROWS_MAX = 1_000;

/** The longest file, in characters: 1,000 rows with the longest keys and a sentence each. */
export const BATCH_LENGTH_MAX = 256 * 1024;

/** The columns of a file; the names that its first line has, in any order and case. */
const BATCH_COLUMNS = ['valor', 'chave', 'tipo_chave', 'descricao'] as const;
/** An optional column: the merchant's own reference of each payment. */
const REFERENCE_COLUMN = 'referencia';
type BatchColumn = (typeof BATCH_COLUMNS)[number] | typeof REFERENCE_COLUMN;
/** All columns that a file can have. */
export const KNOWN_COLUMNS: readonly BatchColumn[] = [...BATCH_COLUMNS, REFERENCE_COLUMN];

/**
 * The file that a member downloads to fill it in: a spreadsheet in Brazil opens it by a double
 * click.
 */
export const BATCH_TEMPLATE = [
  KNOWN_COLUMNS.join(';'),
  '1.250,00;maria@example.com;EMAIL;Salário de novembro;folha-11-maria',
  '89,90;11998765432;PHONE;Entrega 1042;',
  '',
].join('\r\n');

/** One payment of a batch. `pixKey` as DICT spells it. */
export type BatchRow = {
  amountCentavos: bigint;
  pixKey: string;
  pixKeyType: PixKeyType;
  description: string | null;
  reference: string | null;
};

/** What is wrong with a line of a file; `column` null: with all of the line. */
export type BatchIssue = Issue & { line: number; column: BatchColumn | null };

/** The rows of a file that have no issue, the line of each, and the issues of the others. */
export type ParsedBatch = { rows: BatchRow[]; lines: number[]; issues: BatchIssue[] };

/**
 * The cells of a row as the fields of a withdrawal; `amount` in reais, or what is wrong with it.
 */
export type BatchCells = {
  amount: number | 'too_large' | 'not_amount';
  pixKey: string;
  pixKeyType: string;
  description: string | null;
  reference: string | null;
};

/** The fields of a withdrawal, by the columns that they stand in. */
const FIELDS: Record<BatchColumn, keyof BatchCells> = {
  valor: 'amount',
  chave: 'pixKey',
  tipo_chave: 'pixKeyType',
  descricao: 'description',
  referencia: 'reference',
};

/**
 * Reads the file of a batch: all of its rows, and every issue of every row with its line. `readRow`
 * reads the fields as those of any withdrawal are read.
 */
export function parsePayoutBatch(
  text: string,
  readRow: (cells: BatchCells) => BatchRow | readonly FieldIssue[],
): ParsedBatch {
  if (text.length > BATCH_LENGTH_MAX) {
    return rejected(1, issueOf('csv_too_large', { kilobytes: BATCH_LENGTH_MAX / 1024 }));
  }
  const { rows: found, separator, misquotedLine } = parseCsv(text);
  if (misquotedLine !== null) return rejected(misquotedLine, issueOf('csv_quotes'));
  const [head, ...lines] = found;
  const places = head && placesOf(head);
  if (!places) return rejected(head?.line ?? 1, issueOf('csv_columns', { columns: BATCH_COLUMNS.join(';') }));
  if (lines.length === 0) return rejected(head.line, issueOf('csv_no_rows'));
  if (lines.length > BATCH_ROWS_MAX) {
    return rejected(lines[BATCH_ROWS_MAX]?.line ?? 1, issueOf('csv_too_many_rows', { max: BATCH_ROWS_MAX }));
  }
  const parsed: ParsedBatch = { rows: [], lines: [], issues: [] };
  for (const { line, cells } of lines) {
    const cell = (column: BatchColumn) => withoutMark((cells[places.get(column) ?? -1] ?? '').trim());
    // Between commas an empty cell too many is a sign of a decimal comma: `1250,50,` is not 1250.
    const isShifted = separator === ',' && cells.length > head.cells.length;
    const given = isShifted ? cells.length : withoutEmptyEnd(cells, places.size);
    if (given > places.size) {
      const columns = places.size;
      parsed.issues.push({ ...issueOf('csv_cells', { cells: given, columns }), line, column: null });
      continue;
    }
    const row = readRow(fieldsOf(cell));
    if ('pixKey' in row) {
      parsed.rows.push(row);
      parsed.lines.push(line);
    } else {
      parsed.issues.push(...row.map(({ field, ...issue }) => ({ ...issue, line, column: columnOf(field) })));
    }
  }
  return parsed;
}

const rejected = (line: number, issue: Issue): ParsedBatch => ({
  rows: [],
  lines: [],
  issues: [{ ...issue, line, column: null }],
});

/** Returns the position of each column; `null` where one is missing, unknown or there twice. */
function placesOf({ cells }: CsvRow): Map<BatchColumn, number> | null {
  const names = cells.slice(0, withoutEmptyEnd(cells, 0)).map((cell) => cell.trim().toLowerCase());
  const places = new Map<BatchColumn, number>();
  for (const [at, name] of names.entries()) {
    const column = KNOWN_COLUMNS.find((known) => known === name);
    if (!column || places.has(column)) return null;
    places.set(column, at);
  }
  return BATCH_COLUMNS.every((column) => places.has(column)) ? places : null;
}

/** Returns a cell without the mark by which our own files keep a spreadsheet from computing it. */
const withoutMark = (cell: string): string => (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell);

/** How many cells a line has, without empty ones behind the columns. */
function withoutEmptyEnd(cells: readonly string[], columns: number): number {
  let count = cells.length;
  while (count > columns && cells[count - 1]?.trim() === '') count--;
  return count;
}

function fieldsOf(cell: (column: BatchColumn) => string): BatchCells {
  // Also what is above any maximum: the account's own is the one that the member has to know.
  const { centavos, issue } = readTypedAmount(cell('valor'), 'pt-BR', JSON_CENTAVOS_MAX);
  const invalid = issue === 'too_large' ? issue : 'not_amount';
  return {
    amount: centavos === null ? invalid : toBrl(centavos),
    pixKey: cell('chave'),
    pixKeyType: cell('tipo_chave'),
    description: cell('descricao') || null,
    reference: cell(REFERENCE_COLUMN) || null,
  };
}

const columnOf = (field: string): BatchColumn | null =>
  KNOWN_COLUMNS.find((column) => FIELDS[column] === field) ?? null;
