import type pg from 'pg';
import type { Fee } from '#domain/accounts/fees.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';

/** Kinds of provider credentials that an account may bring itself. */
const CREDENTIAL_KINDS = ['api_pix', 'plisio'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What the operator has agreed with an account. */
export type AccountTerms = {
  accountId: string;
  merchantId: string;
  mode: 'live' | 'test';
  kycStatus: 'pending' | 'approved' | 'rejected';
  mayCreateAccounts: boolean;
  /** When the operator suspended it; null: it is not suspended. */
  suspendedAt: Date | null;
  suspensionReason: string | null;
  /** Code of crypto deposits and withdrawals where the request names none. */
  currency: string | null;
  /** Switched off for this account. */
  inactiveRails: TransactionType[];
  /** Turned off for every account, each with the operator's reason. */
  closedRails: Partial<Record<TransactionType, string>>;
  spreadBps: number;
  toleranceBps: number;
  /** A type that is absent costs nothing. */
  fees: Partial<Record<TransactionType, Fee>>;
  /**
   * The limits in force, in centavos: the account's own, else the installation's default. A name
   * that is absent has no limit.
   */
  limits: Partial<Record<LimitName, bigint>>;
  /** The rail ids of the account's own credentials that are in use. */
  credentials: Partial<Record<CredentialKind, string>>;
  /** When the next planned change takes effect; null: no change is planned. */
  termsChangeAt: Date | null;
  /** Whether it has a test clock. How far that is ahead changes, so callers read it each time. */
  hasTestClock: boolean;
};

/** The columns of AccountTerms, for a query with accounts a and merchants m. */
export const TERMS_COLUMNS = `a.id AS "accountId", a.merchant_id AS "merchantId", a.mode, m.kyc_status AS "kycStatus",
  m.can_create_accounts AS "mayCreateAccounts", a.suspended_at AS "suspendedAt", a.suspension_reason AS "suspensionReason", a.currency, a.inactive_rails::text[] AS "inactiveRails",
  a.spread_bps AS "spreadBps", a.tolerance_bps AS "toleranceBps",
  a.terms_change_at AS "termsChangeAt",
  EXISTS (SELECT FROM test_clocks c WHERE c.account_id = a.id) AS "hasTestClock",
  (SELECT json_agg(json_build_object('type', f.type, 'bps', f.bps, 'fixed', f.fixed_centavos::text))
    FROM account_fees f WHERE f.account_id = a.id) AS fees,
  (SELECT json_object_agg(l.name, l.centavos::text) FROM effective_limits(a.id) l) AS limits,
  (SELECT json_object_agg(c.kind, c.rail_id) FROM credentials c WHERE c.account_id = a.id AND c.is_active) AS credentials,
  (SELECT json_object_agg(c.rail, c.reason) FROM closed_rails c) AS "closedRails"`;

export type TermsRow = Omit<AccountTerms, 'fees' | 'limits' | 'credentials' | 'closedRails'> & {
  fees: { type: TransactionType; bps: number; fixed: string }[] | null;
  limits: Partial<Record<LimitName, string>> | null;
  credentials: Partial<Record<CredentialKind, string>> | null;
  closedRails: AccountTerms['closedRails'] | null;
};

/** A row of TERMS_COLUMNS, in the domain's terms. */
export function toTerms<Row extends TermsRow>(row: Row): Omit<Row, keyof AccountTerms> & AccountTerms {
  const fees = (row.fees ?? []).map((fee) => [fee.type, { bps: fee.bps, fixedCentavos: BigInt(fee.fixed) }]);
  const limits = Object.entries(row.limits ?? {}).map(([name, centavos]) => [name, BigInt(centavos)]);
  return {
    ...row,
    fees: Object.fromEntries(fees),
    limits: Object.fromEntries(limits),
    credentials: row.credentials ?? {},
    closedRails: row.closedRails ?? {},
  };
}

/**
 * Returns the terms of an account that are in force at `now`; null when there is no such account. A
 * planned change that is due is applied first, even when its task has not run yet.
 */
export async function findAccountTerms(db: pg.Pool, accountId: string, now: Date): Promise<AccountTerms | null> {
  const { rows } = await db.query<TermsRow>({
    name: 'find-account-terms',
    text: `SELECT ${TERMS_COLUMNS} FROM accounts a JOIN merchants m ON m.id = a.merchant_id WHERE a.id = $1`,
    values: [accountId],
  });
  const [row] = rows;
  if (!row) return null;
  if (areInForce(row, now)) return toTerms(row);
  await applyDueTerms(db, accountId, now);
  return findAccountTerms(db, accountId, now);
}

/** Whether no planned change has taken effect since terms were read. */
export const areInForce = ({ termsChangeAt }: Pick<AccountTerms, 'termsChangeAt'>, now: Date): boolean =>
  termsChangeAt === null || termsChangeAt > now;

/** Applies the planned changes of an account's terms that are due by `now`. */
export async function applyDueTerms(db: pg.Pool, accountId: string, now: Date): Promise<void> {
  await db.query('SELECT terms_apply_due($1, $2)', [accountId, now]);
}
