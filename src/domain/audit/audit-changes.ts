/** What was changed, as it was noted: before, where that was noted, and after. */
export type AuditChange = { name: string; before: string | null; after: string | null };

type Details = Readonly<Record<string, unknown>>;

/** Who acted and what about, which are shown as such, and sums, which are amounts. */
const NO_CHANGE: ReadonlySet<string> = new Set(['operator', 'subject', 'key_id', 'amount', 'centavos']);
const BEFORE = /_before$/;

/**
 * What an operator reads of an act: everything that was noted of it. `role_before` and `role`, or
 * `previous_url` and `url`, are one change.
 */
export function auditChanges(details: Details): AuditChange[] {
  const text = (name: string) => textOf(details[name]);
  if ('from' in details && 'to' in details) return [{ name: 'value', before: text('from'), after: text('to') }];
  const names = Object.keys(details).map((name) => name.replace(BEFORE, '').replace(/^previous_/, ''));
  return [...new Set(names)]
    .filter((name) => !NO_CHANGE.has(name))
    .map((name) => ({ name, before: text(`${name}_before`) ?? text(`previous_${name}`), after: text(name) }))
    .filter(({ before, after }) => before !== null || after !== null);
}

/** What members know by themselves, or may know of what was agreed with them. */
const OF_MERCHANTS =
  /^(role|topic|url|value|permissions|allowed_ips|call_cap|day_cap|expires_at|effective_from|limit \w+)$/;
/** Whose `name` is a key's, and not an operator's; and whose `reason` was written for members. */
const NAMED = /^api_key[.]/;
/** What was done to credentials: whose, and which of their fields; never what is in them. */
const CONNECTED = /^credentials[.]/;
const OF_CREDENTIALS = /^(provider|fields)$/;
const EXPLAINED = /^(account[.]suspended|kyc[.]rejected)$/;

/** The same for the members of the merchant: nothing of who operates the installation, or how. */
export const auditChangesForMembers = (action: string, details: Details): AuditChange[] =>
  auditChanges(details).filter(
    ({ name }) =>
      OF_MERCHANTS.test(name) ||
      (name === 'name' && NAMED.test(action)) ||
      (OF_CREDENTIALS.test(name) && CONNECTED.test(action)) ||
      (name === 'reason' && EXPLAINED.test(action)),
  );

const textOf = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);
