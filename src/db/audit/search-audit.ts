import type pg from 'pg';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
import type { AuditEntry } from './audit.ts';

export type AuditListing = Omit<AuditEntry, 'userAgent' | 'notices'> & {
  id: bigint;
  /** Null: it is about the installation. */
  merchantName: string | null;
  /** Of the member who acted, also of one who was removed since; null where it was no member. */
  memberName: string | null;
  /** Of the API key that acted, where one did. */
  keyName: string | null;
};

export type AuditSearch = {
  /** Null: of all merchants, and of the installation. */
  merchantId: string | null;
  /** Part of the merchant's name. */
  merchantName?: string | null;
  kind: AuditKind | null;
  /** Part of the name of the member or key that acted. */
  who: string | null;
  /** `who` is looked for among operators, too. */
  withOperators?: boolean;
  /** Any of these, with `_` for the point; null: every one. */
  actions: readonly string[] | null;
  from: Date | null;
  /** Exclusive. */
  until: Date | null;
  /** Older than this one. */
  before: bigint | null;
  limit: number;
};

/**
 * How many records one search scans for a name or an action: some tens of milliseconds. The search
 * of the next page continues from there.
 */
const SCAN_MAX = 20_000;
const ID_MAX = 2n ** 63n - 1n;

/**
 * Word for word the conditions of the indexes audit_records_money_idx and
 * audit_records_not_money_idx.
 */
const OF_KIND: Record<AuditKind, string> = {
  money: `a.action ~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
  security: `a.action !~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
};

/**
 * Lists audit records, newest first. `next` is the following page's `before`; null after the last
 * page. A page may have fewer entries than `limit`, even none, although another one follows.
 */
export async function searchAudit(
  db: pg.Pool,
  search: AuditSearch,
): Promise<{ entries: AuditListing[]; next: bigint | null }> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const window = windowOf(search, bind);
  const inWindow = values.length;
  const conditions = conditionsOf(search, bind);
  const filter = ['true', ...conditions].join(' AND ');
  const { limit } = search;
  // A key acts over REST, from an address; the operator's rows name keys, too, and have none.
  const { rows } = await db.query<AuditListing>(
    `SELECT a.id, a.action, a.merchant_id AS "merchantId", a.member_id AS "memberId", a.account_id AS "accountId", a.details,
      a.ip_address AS "ipAddress", a.at, n.name AS "merchantName", m.name AS "memberName", k.name AS "keyName"
    FROM (${window}) a
      LEFT JOIN merchants n ON n.id = a.merchant_id
      LEFT JOIN members m ON m.id = a.member_id
      LEFT JOIN api_keys k ON k.account_id = a.account_id AND a.ip_address IS NOT NULL
        AND k.id = CASE WHEN a.member_id IS NULL THEN (a.details ->> 'key_id')::uuid END
    WHERE ${filter} ORDER BY a.id DESC LIMIT ${bind(limit + 1)}`,
    values,
  );
  const entries = rows.slice(0, limit);
  if (rows.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
  if (conditions.length === 0) return { entries, next: null };
  const { rows: looked } = await db.query<{ count: number; last: bigint | null }>(
    `SELECT count(*)::int AS count, min(id) AS last FROM (${window}) AS looked`,
    values.slice(0, inWindow),
  );
  const [{ count, last } = { count: 0, last: null }] = looked;
  return { entries, next: count < SCAN_MAX ? null : last };
}

type Bind = (value: unknown) => string;

/** The records that a search scans: read by an index, the newest first. */
function windowOf({ merchantId, kind, from, until, before }: AuditSearch, bind: Bind): string {
  const conditions = [
    `a.id < ${bind(before ?? ID_MAX)}`,
    ...(merchantId === null ? [] : [`a.merchant_id = ${bind(merchantId)}`]),
    ...(kind === null ? [] : [OF_KIND[kind]]),
    ...(from === null ? [] : [`a.at >= ${bind(from)}`]),
    ...(until === null ? [] : [`a.at < ${bind(until)}`]),
  ];
  return `SELECT a.* FROM audit_records a WHERE ${conditions.join(' AND ')} ORDER BY a.id DESC LIMIT ${bind(SCAN_MAX)}`;
}

function conditionsOf({ who, withOperators, actions, merchantName }: AuditSearch, bind: Bind): string[] {
  const isPartOf = (text: string, ...columns: string[]) => {
    const part = bind(text);
    return `(${columns.map((column) => `position(lower(${part}::text) IN lower(${column})) > 0`).join(' OR ')})`;
  };
  return [
    ...(who ? [isPartOf(who, 'm.name', 'k.name', ...(withOperators ? [`a.details ->> 'operator'`] : []))] : []),
    ...(merchantName ? [isPartOf(merchantName, 'n.name')] : []),
    ...(actions ? [`replace(a.action, '.', '_') = ANY (${bind(actions)}::text[])`] : []),
  ];
}
