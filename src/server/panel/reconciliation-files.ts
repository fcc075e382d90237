import { reconciliationFileInput } from '#contract/reconciliation/reconciliation.ts';
import type { CsvCell } from '#domain/reports/csv.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { messages } from '#messages/messages.ts';
import { listDayItems, listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { DAY_COLUMNS, ITEM_COLUMNS, type ItemRow } from '#services/reconciliation/reconciliation-columns.ts';
import { csvPieces } from './csv-pieces.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

/** `reconciliation.csv?format=pt-BR`: the days of the account's own PSP, newest first. */
export const openReconciliationCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format } = reconciliationFileInput.parse(Object.fromEntries(query));
  const { name, columns } = messages[language].files.reconciliation;
  const days = await listReconciliation(deps, { accountId });
  return {
    name: fileName([name, dayOf(deps.clock())], { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: days.length,
    pieces: csvPieces({ format, columns: DAY_COLUMNS, titles: columns }, once(days)),
  };
};

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

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
    pieces: csvPieces({ format, columns, titles: files.reconciliation.itemColumns }, chunks()),
  };

  async function* chunks(): AsyncGenerator<ItemRow[]> {
    for (const day of days) {
      const items = await listDayItems(deps, { dayId: day.id, accountId });
      yield items.map((item) => ({ day, item }));
    }
  }
};
