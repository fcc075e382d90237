import { reconciliationFileInput } from '#contract/reconciliation/reconciliation.ts';
import { type CsvCell, type CsvFormat, csvRow, csvStart } from '#domain/reports/csv.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { messages } from '#messages/messages.ts';
import { listDayItems, listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { DAY_COLUMNS, ITEM_COLUMNS, type ItemRow } from '#services/reconciliation/reconciliation-columns.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

type DayRow = ItemRow['day'];

/** `reconciliation.csv?format=pt-BR`: the days of the account's own PSP, newest first. */
export const openReconciliationCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format } = reconciliationFileInput.parse(Object.fromEntries(query));
  const { name, columns } = messages[language].files.reconciliation;
  const days = await listReconciliation(deps, { accountId });
  return {
    name: fileName([name, dayOf(deps.clock())], { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: days.length,
    pieces: pieces(DAY_COLUMNS, columns, format, async function* () {
      yield days;
    }),
  };
};

/**
 * `reconciliation-items.csv?format=iso&day_id=…`: what differs of a day, or of all of them, newest
 * first; as much of it as is kept.
 */
export const openReconciliationItemsCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format, day_id: dayId } = reconciliationFileInput.parse(Object.fromEntries(query));
  const { files, panel } = messages[language];
  const days = (await listReconciliation(deps, { accountId, dayId: dayId ?? null })).filter(
    ({ itemCount }) => itemCount > 0,
  );
  const { reasons, kinds } = panel.reconciliation;
  const columns: Record<keyof typeof ITEM_COLUMNS, (row: ItemRow) => CsvCell> =
    format === 'iso'
      ? ITEM_COLUMNS
      : { ...ITEM_COLUMNS, reason: ({ item }) => reasons[item.why], kind: ({ item }) => kinds[item.kind] };
  return {
    name: fileName([files.reconciliation.itemsName, dayOf(deps.clock())], { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: null,
    pieces: pieces(columns, files.reconciliation.itemColumns, format, async function* () {
      for (const day of days) yield await rowsOf(day);
    }),
  };

  async function rowsOf(day: DayRow): Promise<ItemRow[]> {
    return (await listDayItems(deps, { dayId: day.id, accountId })).map((item) => ({ day, item }));
  }
};

/** Programs find the names of the columns, people their titles. */
async function* pieces<Row, Name extends string>(
  columns: Record<Name, (row: Row) => CsvCell>,
  titles: Record<Name, string>,
  format: CsvFormat,
  chunks: () => AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const names = Object.keys(columns) as Name[];
  yield csvStart(format) +
    csvRow(
      names.map((name) => (format === 'iso' ? name : titles[name])),
      format,
    );
  for await (const rows of chunks()) {
    yield rows
      .map((row) =>
        csvRow(
          names.map((name) => columns[name](row)),
          format,
        ),
      )
      .join('');
  }
}
