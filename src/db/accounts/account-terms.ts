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
  /** Since when the operator has it suspended; null: it is not. */
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
   * Those that hold, in centavos: the account's own, else the installation's default. One that is
   * absent does not limit.
   */
  limits: Partial<Record<LimitName, bigint>>;
  /** Of the account's own credentials that are in use: the id that names their rail. */
  credentials: Partial<Record<CredentialKind, string>>;
  /** From then on other terms are in force; null: no change is planned. */
  termsChangeAt: Date | null;
  /** Whether its time may be ahead of the service's own: that is looked up each time. */
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
 * The terms of an account that are in force at `now`; null when there is no such account. A change
 * that has taken effect since is put in force first, whether its task has run or not.
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

/** Puts in force what was planned of an account and has taken effect by `now`. */
export async function applyDueTerms(db: pg.Pool, accountId: string, now: Date): Promise<void> {
  await db.query('SELECT terms_apply_due($1, $2)', [accountId, now]);
}
