import { toDecimal } from '../values/money.ts';

/**
 * The two formats of a table as text. `pt-BR` is what a Brazilian Excel opens by a double click:
 * semicolons, decimal comma, Brasília's time, and a mark at the start that says UTF-8. `iso` is for
 * programs: plain RFC 4180, decimal point, ISO 8601.
 */
export const CSV_FORMATS = ['pt-BR', 'iso'] as const;
export type CsvFormat = (typeof CSV_FORMATS)[number];

/**
 * What a cell holds. Only text can have been typed by a stranger, so only text is checked for
 * formulas: a figure keeps its minus sign. `units`: 10^-8 of a coin.
 */
export type CsvCell =
  | string
  | null
  | { count: bigint }
  | { centavos: bigint }
  | { units: bigint }
  | { at: Date }
  | { day: string };

const BYTE_ORDER_MARK = '\uFEFF';
/** RFC 4180, section 2.1. */
const LINE_END = '\r\n';

/** The text that goes before the first row. */
export const csvStart = (format: CsvFormat): string => (format === 'pt-BR' ? BYTE_ORDER_MARK : '');

/** One row with its line end. */
export const csvRow = (cells: readonly CsvCell[], format: CsvFormat): string =>
  cells.map((cell) => cellText(cell, format)).join(format === 'pt-BR' ? ';' : ',') + LINE_END;

function cellText(cell: CsvCell, format: CsvFormat): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return textCell(cell);
  if ('count' in cell) return cell.count.toString();
  if ('centavos' in cell) return decimal(toDecimal(cell.centavos), format);
  if ('units' in cell) return decimal(coins(cell.units), format);
  if ('day' in cell) return format === 'pt-BR' ? cell.day.split('-').reverse().join('/') : cell.day;
  return format === 'pt-BR' ? brasiliaTime(cell.at) : cell.at.toISOString();
}

/**
 * Always in quotes, so that no separator of any country's and no line break in it ends the cell.
 */
const textCell = (text: string): string => `"${(isFormula(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/**
 * Characters before a sign that can't be seen: white space, control and format characters, fillers.
 */
const UNSEEN = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+/u;
const CONTROL = /^\p{Cc}/u;
const SIGN = /^[=+\-@\u2212]/;

/**
 * Returns whether a spreadsheet could take a text for a formula (OWASP, CSV injection): it begins
 * with `=`, `+`, `-`, `@`, a tab or a line break. It counts also where the sign has a full-width or
 * small form, which some programs turn into the plain one, or stands behind characters that can't
 * be seen.
 */
export const isFormula = (text: string): boolean =>
  CONTROL.test(text) || SIGN.test(text.replace(UNSEEN, '').normalize('NFKC'));

const decimal = (text: string, format: CsvFormat): string => (format === 'pt-BR' ? text.replace('.', ',') : text);

function coins(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(9, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Made once: making one is expensive. */
const BRASILIA = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** `20/11/2026 14:05`: with a comma between, as the locale has it, Excel would not see a time. */
const brasiliaTime = (at: Date): string => BRASILIA.format(at).replace(', ', ' ');
