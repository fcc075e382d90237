import { operatorAuditFileInput } from '#contract/operator/audit.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import type { Language } from '#domain/values/language.ts';
import { messages } from '#messages/messages.ts';
import type { Deps } from '#services/deps.ts';
import { listAudit } from '#services/operators/list-audit.ts';
import { actionText, auditChunks, changesText } from '../panel/audit-csv.ts';
import { csvPieces } from '../panel/csv-pieces.ts';
import { CSV_MEDIA_TYPE, type ExportFile, fileName } from '../panel/export-file.ts';
import { auditFilter } from '../procedures/audit-filter.ts';
import { toAuditEntry } from '../procedures/operator/to-audit-entry.ts';

/** `audit.csv?merchant=…&who=…&text=…&from=2026-11-01&to=2026-11-30&format=iso` */
export async function openAuditCsv(
  deps: Deps,
  { query, language }: { query: URLSearchParams; language: Language },
): Promise<ExportFile> {
  const { format, merchant, ...search } = operatorAuditFileInput.parse(Object.fromEntries(query));
  const { files, panel, operator } = messages[language];
  const filter = { merchant, ...auditFilter(search) };
  const actions = { ...panel.security.actions, ...operator.audit.actions };
  return {
    name: fileName([files.audit.name, dayOf(deps.clock())], { mode: 'live', language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: null,
    pieces: csvPieces<ReturnType<typeof toAuditEntry>, keyof typeof files.audit.columns>(
      {
        format,
        titles: files.audit.columns,
        columns: {
          id: ({ id }) => ({ count: id }),
          at: ({ at }) => ({ at }),
          merchant: ({ merchant_name: name }) => name,
          action: ({ action }) => actionText(action, format, actions),
          by: ({ by }) => (format === 'iso' ? by : operator.audit.by[by]),
          who: ({ name }) => name,
          ip_address: ({ ip_address: address }) => address,
          subject: ({ subject }) => subject,
          changes: ({ changes }) => changesText(changes),
        },
      },
      auditChunks(async (page) => {
        const { entries, next } = await listAudit(deps, { ...filter, ...page });
        return { entries: entries.map(toAuditEntry), next };
      }),
    ),
  };
}
