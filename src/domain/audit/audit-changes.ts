/**
 * One change of an audit record: the value before it, where that was recorded, and the value after
 * it.
 */
export type AuditChange = { name: string; before: string | null; after: string | null };

type Details = Readonly<Record<string, unknown>>;

/**
 * Details that are no changes of their own: who acted and on what, which are shown elsewhere, and
 * amounts.
 */
const NO_CHANGE: ReadonlySet<string> = new Set([
  'operator',
  'subject',
  'key_id',
  'amount',
  'centavos',
  'before',
  'after',
]);
const BEFORE = /_before$/;

/**
 * Returns the changes of an audit record as operators see them: everything that was recorded.
 * `role_before` and `role`, or `previous_url` and `url`, are one change, and so are `before` and
 * `after`, which are the amounts of a threshold in reais.
 */
export function auditChanges(details: Details): AuditChange[] {
  const text = (name: string) => textOf(details[name]);
  if ('from' in details && 'to' in details) return [{ name: 'value', before: text('from'), after: text('to') }];
  const threshold = { name: 'threshold', before: text('before'), after: text('after') };
  const names = Object.keys(details).map((name) => name.replace(BEFORE, '').replace(/^previous_/, ''));
  const changes = [...new Set(names)]
    .filter((name) => !NO_CHANGE.has(name))
    .map((name) => ({ name, before: text(`${name}_before`) ?? text(`previous_${name}`), after: text(name) }));
  return [threshold, ...changes].filter(({ before, after }) => before !== null || after !== null);
}

/** Changes that members made themselves, or that were agreed with them. */
const OF_MERCHANTS =
  /^(role|topic|url|value|permissions|allowed_ips|call_cap|day_cap|expires_at|effective_from|threshold|applies_from|limit \w+|fee \w+)$/;
/** Actions whose `name` is that of a key, not of an operator. */
const NAMED = /^api_key[.]/;
/**
 * Actions on credentials: members see the provider and the names of the fields, never their values.
 */
const CONNECTED = /^credentials[.]/;
const OF_CREDENTIALS = /^(provider|fields)$/;
/** Actions whose `reason` was written for members. */
const EXPLAINED = /^(account[.]suspended|kyc[.]rejected)$/;

/** Returns the changes as members see them, without who operates the installation, or how. */
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
