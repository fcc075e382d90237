/** A row of a table as text: its cells, and the line of the text on which it begins. */
export type CsvRow = { line: number; cells: string[] };

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Returns the rows of a CSV text (RFC 4180): cells may be in quotes, and then contain separators,
 * line ends and doubled quotes. Lines end with LF, CRLF or CR; lines of white space and separators
 * alone are left out, because spreadsheets add them at the end. The separator is the semicolon
 * where the first line with text has one, else the comma. `unclosedLine`: the line of a quote that
 * does not end; what follows it is in no row.
 */
export function parseCsv(text: string): { rows: CsvRow[]; separator: ';' | ','; unclosedLine: number | null } {
  const from = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const separator = /^\s*[^\r\n]*;/.test(text) ? ';' : ',';
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let quotedSince: number | null = null;
  const endRow = () => {
    row.cells.push(cell);
    if (row.cells.some((text) => text.trim() !== '')) rows.push(row);
    cell = '';
  };
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string;
    const endsLine = char === '\n' || (char === '\r' && text[at + 1] !== '\n');
    if (endsLine) line++;
    if (quotedSince !== null) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quotedSince = null;
    } else if (char === '"' && cell.trim() === '') {
      cell = '';
      quotedSince = line;
    } else if (char === separator) {
      row.cells.push(cell);
      cell = '';
    } else if (endsLine) {
      endRow();
      row = { line, cells: [] };
    } else if (char !== '\r') cell += char;
  }
  if (quotedSince === null) endRow();
  return { rows, separator, unclosedLine: quotedSince };
}
