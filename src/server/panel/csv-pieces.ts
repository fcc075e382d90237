import { type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';

export type CsvTable<Row, Name extends string> = {
  format: CsvFormat;
  columns: Readonly<Record<Name, (row: Row) => CsvCell>>;
  /** What people read as the names of the columns; programs find the names. */
  titles: Readonly<Record<Name, string>>;
};

/** Yields a CSV file: its head, then its rows, a piece for each chunk of them. */
export async function* csvPieces<Row, Name extends string>(
  { format, columns, titles }: CsvTable<Row, Name>,
  chunks: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const names = Object.keys(columns) as Name[];
  const head = names.map((name) => (format === 'iso' ? name : titles[name]));
  const line = (row: Row) =>
    csvRow(
      names.map((name) => columns[name](row)),
      format,
    );
  yield csvStart(format) + csvRow(head, format);
  for await (const rows of chunks) yield rows.map(line).join('');
}
