import { periodInstants } from '#domain/reports/statement-period.ts';
import { languages } from '#domain/values/language.ts';
import { withoutAccents } from '#domain/values/without-accents.ts';
import { messages } from '#messages/messages.ts';
import type { AuditFilter } from '#services/audit/audit-filter.ts';

type Searched = { text: string | null; who: string | null; from: string | null; to: string | null };

/** The filter of a search of the audit; `from` and `to` are days in São Paulo, both included. */
export const auditFilter = ({ text, who, from, to }: Searched): AuditFilter => ({
  who,
  actions: text === null ? null : actionsNamed(text),
  from: from === null ? null : periodInstants({ from, to: from }).start,
  until: to === null ? null : periodInstants({ from: to, to }).end,
});

/**
 * The actions whose name contains a text, with `_` for the point: in any language, or by the name
 * that programs read. Accents and capitals make no difference.
 */
function actionsNamed(text: string): string[] {
  const wanted = plain(text);
  const named = languages.flatMap((language) => {
    const { panel, operator } = messages[language];
    return Object.entries({ ...panel.security.actions, ...operator.audit.actions });
  });
  const found = named.filter(([name, called]) => [name, called].some((one) => plain(one).includes(wanted)));
  return [...new Set(found.map(([name]) => name))];
}

const plain = (text: string): string => withoutAccents(text).replaceAll('.', '_').toLowerCase();
