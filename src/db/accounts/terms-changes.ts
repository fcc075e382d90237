import type { Fee } from '#domain/accounts/fees.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import type { LimitsOutlook, LimitTerm, TermsChange } from '#domain/accounts/terms-change.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { Prisma } from '#prisma';
import { invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';

export type NewTermsChange = {
  id: string;
  terms: TermsChange;
  reason: string | null;
  /** The operator; null: the installation itself. */
  by: string | null;
  /** Null: now. */
  effectiveAt: Date | null;
  /** Throws where the change must not be made; no other change is made meanwhile. */
  check: (outlook: TermsOutlook) => void;
};

/** An account's limits as they are and as they are planned. */
export type TermsOutlook = Omit<LimitsOutlook, 'planned'> & { planned: StoredTermsChange[] };

export type StoredTermsChange = {
  id: string;
  terms: TermsChange;
  /** What held until then; null: it has not taken effect. */
  before: TermsChange | null;
  reason: string | null;
  createdBy: string | null;
  createdAt: Date;
  effectiveAt: Date;
  cancelledAt: Date | null;
  cancelledBy: string | null;
};

/**
 * Stores a change of an account's terms in the caller's transaction, if `check` accepts it. A
 * change that takes effect now is applied at once; a later one gets a task. Returns the values of
 * these terms before the change. Throws when there is no such account.
 */
export async function insertTermsChangeIn(
  tx: Prisma.TransactionClient,
  change: NewTermsChange & { accountId: string; now: Date },
): Promise<TermsChange> {
  const { id, accountId, reason, by, now } = change;
  const terms = toJson(change.terms);
  const effectiveAt = change.effectiveAt ?? now;
  change.check(await lockTerms(tx, accountId, now));
  const [row] = await tx.$queryRaw<{ before: TermsJson }[]>`
    SELECT terms_in_force(${accountId}::uuid, ${JSON.stringify(terms)}::jsonb) AS before`;
  if (!row) throw new Error(`There is no account ${accountId}.`);
  const stamps = { createdBy: by, createdAt: now, effectiveAt };
  await tx.termsChange.create({ data: { id, accountId, terms, reason, ...stamps }, select: { id: true } });
  await tx.$executeRaw`SELECT terms_apply_due(${accountId}::uuid, ${now}::timestamptz)`;
  if (effectiveAt > now) await insertTask(tx, { kind: 'apply_terms', subjectId: id, dueAt: effectiveAt });
  return fromJson(row.before);
}

/**
 * The same by itself, with its audit, in one commit, by which every process drops what it has
 * cached of the account.
 */
export async function insertTermsChange(
  db: Database,
  change: NewTermsChange & { accountId: string; now: Date; audit: (before: TermsChange) => AuditEntry },
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await insertAuditIn(tx, change.audit(await insertTermsChangeIn(tx, change)));
    await invalidateAccountCachesIn(tx, change.accountId);
  });
}

/**
 * Cancels a change that has not taken effect, if `check` accepts it, with its audit, in one commit,
 * by which every process drops what it has cached of the account. `audit` gets when the change
 * would have taken effect. Returns false when there is none of this id.
 */
export async function cancelTermsChange(
  db: Database,
  {
    accountId,
    id,
    by,
    now,
    audit,
    check,
  }: { accountId: string; id: string; by: string | null; now: Date; audit: (effectiveAt: Date) => AuditEntry } & Pick<
    NewTermsChange,
    'check'
  >,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const outlook = await lockTerms(tx, accountId, now);
    const planned = outlook.planned.find((one) => one.id === id);
    if (!planned) return false;
    check(outlook);
    await tx.$executeRaw`SELECT terms_cancel(${accountId}::uuid, ${id}::uuid, ${by}, ${now}::timestamptz)`;
    await insertAuditIn(tx, audit(planned.effectiveAt));
    await invalidateAccountCachesIn(tx, accountId);
    return true;
  });
}

/** Applies what is due of an account's terms, and locks them until the transaction ends. */
async function lockTerms(tx: Prisma.TransactionClient, accountId: string, now: Date): Promise<TermsOutlook> {
  await tx.$executeRaw`SELECT terms_apply_due(${accountId}::uuid, ${now}::timestamptz)`;
  const [row] = await tx.$queryRaw<{ limits: LimitsJson; defaults: LimitsJson }[]>`
    SELECT (SELECT json_object_agg(name, centavos::text) FROM effective_limits(${accountId}::uuid)) AS limits,
      (SELECT json_object_agg(name, centavos::text) FROM default_limits) AS defaults`;
  return {
    limits: readLimits(row?.limits ?? null),
    defaults: readLimits(row?.defaults ?? null),
    planned: await listPlannedTerms(tx, accountId, now),
  };
}

/** Centavos by name; null: there are none. */
type LimitsJson = Partial<Record<LimitName, string>> | null;

const readLimits = (limits: LimitsJson): LimitsOutlook['limits'] =>
  Object.fromEntries(Object.entries(limits ?? {}).map(([name, centavos]) => [name, BigInt(centavos)]));

/** An account's changes, the latest to take effect first. */
export async function listTermsChanges(db: Database, accountId: string, limit: number): Promise<StoredTermsChange[]> {
  const rows = await db.prisma.termsChange.findMany({
    where: { accountId },
    orderBy: [{ effectiveAt: 'desc' }, { id: 'desc' }],
    take: limit,
    select: STORED,
  });
  return rows.map(toStored);
}

/** Lists the planned changes that take effect after `now`, the earliest first. */
export async function listPlannedTerms(
  prisma: Prisma.TransactionClient,
  accountId: string,
  now: Date,
): Promise<StoredTermsChange[]> {
  const rows = await prisma.termsChange.findMany({
    where: { accountId, effectiveAt: { gt: now }, appliedAt: null, cancelledAt: null },
    orderBy: [{ effectiveAt: 'asc' }, { id: 'asc' }],
    select: STORED,
  });
  return rows.map(toStored);
}

/** Returns the account that a change belongs to; null when there is no such change. */
export async function findTermsChangeAccount(db: Database, id: string): Promise<string | null> {
  const change = await db.prisma.termsChange.findUnique({ where: { id }, select: { accountId: true } });
  return change?.accountId ?? null;
}

const STORED = {
  id: true,
  terms: true,
  termsBefore: true,
  reason: true,
  createdBy: true,
  createdAt: true,
  effectiveAt: true,
  cancelledAt: true,
  cancelledBy: true,
} as const satisfies Prisma.TermsChangeSelect;

type StoredRow = Prisma.TermsChangeGetPayload<{ select: typeof STORED }>;

const toStored = ({ terms, termsBefore, ...rest }: StoredRow): StoredTermsChange => ({
  ...rest,
  terms: fromJson(terms as TermsJson),
  before: termsBefore === null ? null : fromJson(termsBefore as TermsJson),
});

/** As the column has it. Centavos are text: JSON numbers are doubles to many readers. */
type TermsJson = {
  fees: { [type: string]: { bps: number; fixed_centavos: string } };
  limits: { [name: string]: string | null };
  spread_bps?: number;
  tolerance_bps?: number;
};

const toJson = ({ fees, limits, spreadBps, toleranceBps }: TermsChange): TermsJson => ({
  fees: Object.fromEntries(
    Object.entries(fees).map(([type, fee]) => [type, { bps: fee.bps, fixed_centavos: String(fee.fixedCentavos) }]),
  ),
  limits: Object.fromEntries(
    Object.entries(limits).map(([name, term]) => [name, typeof term === 'bigint' ? String(term) : term]),
  ),
  ...(spreadBps !== undefined && { spread_bps: spreadBps }),
  ...(toleranceBps !== undefined && { tolerance_bps: toleranceBps }),
});

function fromJson({ fees, limits, spread_bps: spreadBps, tolerance_bps: toleranceBps }: TermsJson): TermsChange {
  const readFee = ({ bps, fixed_centavos: fixed }: TermsJson['fees'][string]): Fee => ({
    bps,
    fixedCentavos: BigInt(fixed),
  });
  const readLimit = (term: string | null): LimitTerm => (term === null || term === 'default' ? term : BigInt(term));
  return {
    fees: Object.fromEntries(Object.entries(fees).map(([type, fee]) => [type as TransactionType, readFee(fee)])),
    limits: Object.fromEntries(Object.entries(limits).map(([name, term]) => [name as LimitName, readLimit(term)])),
    ...(spreadBps !== undefined && { spreadBps }),
    ...(toleranceBps !== undefined && { toleranceBps }),
  };
}
