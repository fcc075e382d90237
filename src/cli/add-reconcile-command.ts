import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import { amountText, BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import { type CsvCell, csvRow, csvStart } from '#domain/reports/csv.ts';
import { dateInSaoPaulo, dayStart } from '#domain/values/business-day.ts';
import { toDecimal } from '#domain/values/money.ts';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { acknowledgeDifference } from '#services/reconciliation/acknowledge-difference.ts';
import { type ComparedDay, reconcileNow } from '#services/reconciliation/reconcile-now.ts';
import {
  DAY_COLUMNS,
  differenceOf,
  ITEM_COLUMNS,
  type ItemRow,
} from '#services/reconciliation/reconciliation-columns.ts';
import { type CommandContext, CommandError, withContext } from './context.ts';
import { counted } from './counted.ts';
import { OWN_FILE_MODE } from './own-file-mode.ts';
import { print } from './print.ts';
import { reasonUpTo } from './read-reason.ts';

type Options = { day?: string; rail?: string; acknowledge?: string; csv?: string; itemsCsv?: string; json?: boolean };

/**
 * A worker reads its tasks every second; a provider that does not answer is asked again after a
 * minute at the latest.
 */
const WAIT_MAX_MS = 3 * 60_000;

/** Adds the command that compares a day of the providers' books with the ledger. */
export function addReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'compare what the providers have of a day with the ledger, now; exit code 1 where a difference is neither explained nor acknowledged',
    )
    .option('--day <YYYY-MM-DD>', 'a day of São Paulo; yesterday where none is given, and today up to now')
    .option('--rail <name>', 'of this rail only, such as psp')
    .option(
      '--acknowledge <reason>',
      'note that you know what differs, with --day and --rail: no alarm while just that does',
      reasonUpTo(OPERATOR_REASON_LENGTH_MAX),
    )
    .option('--csv <file>', 'write the days to a file, too')
    .option('--items-csv <file>', 'write what differs to a file, too')
    .option('--json', 'answer in JSON')
    .action(async (options: Options) => {
      const { day, rail, acknowledge: reason } = options;
      if (reason !== undefined && (day === undefined || rail === undefined))
        throw new CommandError('Say with --day and --rail what you acknowledge.');
      if (day !== undefined && !isDay(day)) throw new CommandError(`"${day}" is no day: give one as 2026-11-20.`);
      const days = await withContext((context) => reconcile(context, options));
      if (!days.every(isSettled)) process.exitCode = 1;
      // First: the answer may have taken minutes, and a file may be one that can't be written.
      print(options.json, days.map(toJson), () => days.flatMap(toLines));
      if (options.csv !== undefined) writeOwn(options.csv, csvOf(DAY_COLUMNS, days));
      if (options.itemsCsv !== undefined) {
        const rows = days.flatMap((day) => day.items.map((item) => ({ day, item })));
        writeOwn(options.itemsCsv, csvOf(ITEM_COLUMNS, rows));
      }
    });
}

/**
 * Writes what every account took and sent, for the operator alone to read: a file that is there is
 * replaced, whoever could read it.
 */
function writeOwn(path: string, text: string): void {
  const file = openSync(path, 'w', OWN_FILE_MODE);
  try {
    // A device, such as /dev/stdout, keeps what it has.
    if (fstatSync(file).isFile()) fchmodSync(file, OWN_FILE_MODE);
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

const isSettled = ({ differences, acknowledged }: ComparedDay) => differences === null || acknowledged !== null;

/**
 * Has the worker compare the day, and waits until it has; with a reason what differs is noted as
 * known.
 */
async function reconcile(context: CommandContext, options: Options): Promise<ComparedDay[]> {
  const { day: asked, rail: given, acknowledge: reason } = options;
  const now = context.clock();
  const day = asked ?? dateInSaoPaulo(new Date(dayStart(now).getTime() - 1));
  const compared = await reconcileNow(context, { day, rail: given ?? null }, WAIT_MAX_MS);
  if (compared && compared.length > 0)
    return reason === undefined ? compared : Promise.all(compared.map((one) => acknowledge(context, one, reason)));
  if (compared) {
    throw new CommandError(
      'No provider’s books are compared of that day: it is to come, or before the service first read them, or there is no such rail.',
    );
  }
  throw new CommandError(
    'The day is not compared yet: no worker runs, or a provider does not answer ("psp check" asks it). The worker goes on trying.',
  );
}

/** Returns the day as it is then. Throws CommandError where it was compared again meanwhile. */
async function acknowledge(context: CommandContext, day: ComparedDay, reason: string): Promise<ComparedDay> {
  const { differences } = day;
  if (differences === null) return day;
  if (!(await acknowledgeDifference(context, { day, differences, reason })))
    throw new CommandError('Something else differs by now: look at it without --acknowledge.');
  return { ...day, acknowledged: { at: context.clock(), reason } };
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T12:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const csvOf = <T>(columns: Record<string, (row: T) => CsvCell>, rows: readonly T[]): string =>
  csvStart('iso') +
  csvRow(Object.keys(columns), 'iso') +
  rows
    .map((row) =>
      csvRow(
        Object.values(columns).map((cell) => cell(row)),
        'iso',
      ),
    )
    .join('');

const jsonCell = (cell: CsvCell): unknown => {
  if (cell === null || typeof cell === 'string') return cell;
  if ('count' in cell) return Number(cell.count);
  if ('centavos' in cell) return toDecimal(cell.centavos);
  if ('units' in cell) return unitsToDecimal(cell.units);
  if ('at' in cell) return cell.at.toISOString();
  return 'day' in cell ? cell.day : null;
};
const jsonOf = <T>(columns: Record<string, (row: T) => CsvCell>, row: T) =>
  Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, jsonCell(cell(row))]));

const toJson = (day: ComparedDay) => ({
  ...jsonOf(DAY_COLUMNS, day),
  item_count: day.itemCount,
  acknowledged: day.acknowledged,
  items: day.items.map((item) => jsonOf(ITEM_COLUMNS, { day, item })),
});

/** As many items as a person reads; the unexplained ones come first. */
const ITEM_LINES_MAX = 50;

const FIGURES = ['opening', 'received', 'returned', 'sent', 'closing'] as const;

function toLines(day: ComparedDay): string[] {
  const text = (amount: bigint) => amountText(amount, day.currency);
  const row = (name: string, ...cells: (bigint | null)[]): string =>
    `  ${name.padEnd(24)}${cells.map((one) => (one === null ? '' : text(one)).padStart(16)).join('')}`;
  const figures = FIGURES.map((name) => {
    const [theirs, ours] = [day.theirs[`${name}Amount`], day.ours[`${name}Amount`]];
    return row(name, theirs, ours, theirs - ours);
  });
  return [
    `${day.day}  ${day.rail}${day.currency === BRL ? '' : `  ${day.currency}`}${day.isWhole ? '' : '  (up to now)'}`,
    `  ${''.padEnd(24)}${['provider', 'ledger', 'difference'].map((title) => title.padStart(16)).join('')}`,
    ...figures,
    ...(day.balanceAmount === null ? [] : [row('balance said', day.balanceAmount)]),
    ...(day.balanceDifferenceAmount === 0n ? [] : [row('of it not listed', day.balanceDifferenceAmount)]),
    ...(day.explainedAmount === 0n ? [] : [row('booked on other days', null, null, day.explainedAmount)]),
    row('not explained', null, null, differenceOf(day)),
    ...(day.acknowledged ? [`  acknowledged ${day.acknowledged.at.toISOString()}: ${day.acknowledged.reason}`] : []),
    ...(day.feesAmount === 0n ? [] : [row('fees it names', day.feesAmount)]),
    ...(day.oursCentavos ? [`  ${brlLine(day.oursCentavos)}`] : []),
    ...(day.unreadable === 0
      ? []
      : [`  Can’t be read: ${counted(day.unreadable, 'entry', 'entries')} of the provider.`]),
    ...day.items.slice(0, ITEM_LINES_MAX).map((item) => toItemLine(item, text)),
    ...(day.itemCount > ITEM_LINES_MAX ? [`  … and ${day.itemCount - ITEM_LINES_MAX} more (--items-csv).`] : []),
    '',
  ];
}

const REASONS = {
  missing_here: 'not in the ledger',
  missing_there: 'not at the PSP',
  other_amount: 'other amount',
  other_day: 'other day',
  before: 'from before the service',
  foreign: 'not of the service',
  remainder: 'too little',
};

const brlLine = ({ received, sent }: NonNullable<ComparedDay['oursCentavos']>): string =>
  `in the ledger for BRL ${toDecimal(received)} received, BRL ${toDecimal(sent)} sent`;

function toItemLine(item: ItemRow['item'], text: (amount: bigint) => string): string {
  const { why, kind, key, theirsAmount, oursAmount, transactionId } = item;
  const amount = (one: bigint | null) => (one === null ? '-' : text(one)).padStart(12);
  const transaction = transactionId ? `  ${transactionId}` : '';
  return `  ${REASONS[why].padEnd(24)}${kind.padEnd(8)} ${amount(theirsAmount)} ${amount(oursAmount)}  ${key}${transaction}`;
}
