import type { AuditChange } from '#domain/audit/audit-changes.ts';
import { type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';

/** Rows of one query, and of one piece of the file. */
const CHUNK = 500;

type Page<Row> = { entries: readonly Row[]; next: bigint | null };

export type AuditCsv<Row, Name extends string> = {
  format: CsvFormat;
  columns: Record<Name, (row: Row) => CsvCell>;
  /** What people read as the names of the columns; programs find the names. */
  titles: Record<Name, string>;
  list: (page: { before: bigint | null; limit: number }) => Promise<Page<Row>>;
};

/** Yields the CSV file of everything that a search of the audit finds, newest first. */
export async function* auditCsvPieces<Row, Name extends string>(file: AuditCsv<Row, Name>): AsyncGenerator<string> {
  const { format, columns, titles, list } = file;
  const names = Object.keys(columns) as Name[];
  const head = names.map((name) => (format === 'iso' ? name : titles[name]));
  yield csvStart(format) + csvRow(head, format);
  for (let before: bigint | null = null; ; ) {
    const page: Page<Row> = await list({ before, limit: CHUNK });
    yield page.entries
      .map((row) =>
        csvRow(
          names.map((name) => columns[name](row)),
          format,
        ),
      )
      .join('');
    if (page.next === null) return;
    before = page.next;
  }
}

/** `role: viewer → owner; topic: deposit` */
export const changesText = (changes: readonly AuditChange[]): string | null =>
  changes
    .map(({ name, before, after }) => `${name}: ${before === null ? '' : `${before} → `}${after ?? '-'}`)
    .join('; ') || null;

/** The text of an action, for people; the `iso` format is for programs, and has its name. */
export const actionText = (
  action: string,
  format: CsvFormat,
  texts: Readonly<Record<string, string>> & { other: string },
): string => (format === 'iso' ? action : (texts[action.replaceAll('.', '_')] ?? texts.other));
