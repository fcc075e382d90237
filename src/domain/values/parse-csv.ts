/** A row of a table as text: its cells, and the line of the text on which it begins. */
export type CsvRow = { line: number; cells: string[] };

const BYTE_ORDER_MARK = '\uFEFF';

/** What may stand between cells; a table that is copied from a spreadsheet has tabs. */
const SEPARATORS = [';', '\t', ','] as const;
type Separator = (typeof SEPARATORS)[number];

/** A first line that names the separator, as Excel writes and reads it; it is no row. */
const NAMED_SEPARATOR = /^sep=([;\t,])(?=[\r\n])/i;

/**
 * Returns the rows of a CSV text (RFC 4180): cells may be in quotes, and then contain separators,
 * line ends and doubled quotes. Lines end with LF, CRLF or CR; lines of white space and separators
 * alone are left out, because spreadsheets add them at the end. The separator is the one that a
 * first line `sep=;` names, else the semicolon where the first line with text has one, else the
 * tab, else the comma. `misquotedLine`: the line of a quote that does not end, or that is followed
 * by something else than a separator (`"5"00` is not 500); what follows it is in no row.
 */
export function parseCsv(csv: string): { rows: CsvRow[]; separator: Separator; misquotedLine: number | null } {
  const text = csv.startsWith(BYTE_ORDER_MARK) ? csv.slice(1) : csv;
  const [named = '', name] = NAMED_SEPARATOR.exec(text) ?? [];
  const separator = (name as Separator | undefined) ?? separatorOf(text);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let quote: { line: number; isClosed: boolean } | null = null;
  const endCell = () => {
    row.cells.push(cell);
    cell = '';
    quote = null;
  };
  const endRow = () => {
    endCell();
    if (row.cells.some((one) => one.trim() !== '')) rows.push(row);
  };
  for (let at = named.length; at < text.length; at++) {
    const char = text[at] as string;
    const endsLine = char === '\n' || (char === '\r' && text[at + 1] !== '\n');
    if (endsLine) line++;
    if (quote && !quote.isClosed) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quote.isClosed = true;
    } else if (char === separator) endCell();
    else if (endsLine) {
      endRow();
      row = { line, cells: [] };
    } else if (quote && char.trim() !== '') return { rows, separator, misquotedLine: quote.line };
    else if (char === '"' && cell.trim() === '') {
      cell = '';
      quote = { line, isClosed: false };
    } else if (!quote && char !== '\r') cell += char;
  }
  if (quote && !quote.isClosed) return { rows, separator, misquotedLine: quote.line };
  endRow();
  return { rows, separator, misquotedLine: null };
}

/** The separator of a text whose first line with text is this. */
function separatorOf(text: string): Separator {
  const [head = ''] = /[^\s][^\r\n]*/.exec(text) ?? [];
  return SEPARATORS.find((one) => head.includes(one)) ?? ',';
}
