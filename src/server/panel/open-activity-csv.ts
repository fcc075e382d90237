import { activityFileInput } from '#contract/members/security.ts';
import { auditChangesForMembers } from '#domain/audit/audit-changes.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { messages } from '#messages/messages.ts';
import { getMerchantIdOf, listActivity, type NotedAction } from '#services/members/list-security.ts';
import { auditFilter } from '../procedures/audit-filter.ts';
import { actorOf } from '../procedures/members/to-activity-entry.ts';
import { actionText, auditChunks, changesText } from './audit-csv.ts';
import { csvPieces } from './csv-pieces.ts';
import { CSV_MEDIA_TYPE, fileName, type OpenExport } from './export-file.ts';

/** `activity.csv?kind=money&text=saque&format=iso`, with what the page searches by. */
export const openActivityCsv: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { format, kind, ...search } = activityFileInput.parse(Object.fromEntries(query));
  const { files, panel } = messages[language];
  const { actions, key, other, operator } = panel.security;
  const merchantId = await getMerchantIdOf(deps, accountId);
  const filter = { kind, ...auditFilter(search) };
  return {
    name: fileName([files.activity.name, dayOf(deps.clock())], { mode, language, extension: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    totalRows: null,
    pieces: csvPieces<NotedAction, keyof typeof files.activity.columns>(
      {
        format,
        titles: files.activity.columns,
        columns: {
          at: ({ at }) => ({ at }),
          action: ({ action }) => actionText(action, format, actions),
          who(entry) {
            const by = actorOf(entry);
            return { member: entry.memberName ?? other, key: entry.keyName ?? key, operator, unknown: null }[by];
          },
          ip_address: ({ ipAddress }) => ipAddress,
          amount: ({ amountCentavos: centavos }) => (centavos === null ? null : { centavos }),
          subject: ({ details: { subject } }) => (typeof subject === 'string' ? subject : null),
          changes: ({ action, details }) => changesText(auditChangesForMembers(action, details)),
        },
      },
      auditChunks((page) => listActivity(deps, merchantId, { ...filter, ...page })),
    ),
  };
};
