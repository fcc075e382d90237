import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findDefaultLimits } from '#db/accounts/find-default-limits.ts';
import { cancelTermsChange, insertTermsChange, type TermsOutlook } from '#db/accounts/terms-changes.ts';
import {
  auditedTerms,
  changesNothing,
  contradictoryRanges,
  leavesNoAmount,
  limitsAfter,
  mayPlanFor,
  PLANNED_YEARS_MAX,
  type TermsChange,
} from '#domain/accounts/terms-change.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import type { NotifyDeps } from '../members/notify-members.ts';
import { prepareTermsNotices } from './prepare-terms-notices.ts';

type TermsDeps = NotifyDeps & AsOperator;

/** More than any negotiation needs, and few enough for a page to show. */
const PLANNED_MAX = 12;

export type ChangeTermsInput = {
  accountId: string;
  terms: TermsChange;
  /** When the change takes effect; null: now. */
  effectiveAt: Date | null;
  /** For the history and the audit. */
  reason: string | null;
};

/**
 * Changes the terms of an account, now or at a later instant, in every process at once, and
 * notifies the merchant. Returns the id of the change. A planned change takes effect by itself,
 * unless it is cancelled.
 *
 * Errors: not_found, invalid_input (nothing changes, the instant is past or too far away, or a
 * minimum is above its maximum), too_many_planned.
 */
export async function changeTerms(deps: TermsDeps, input: ChangeTermsInput): Promise<string> {
  const { accountId, terms: change, effectiveAt, reason } = input;
  const now = deps.clock();
  const terms = isUuid(accountId) ? await findAccountTerms(deps.db.pool, accountId, now) : null;
  if (!terms) throw new DomainError('not_found');
  checkInstant(change, effectiveAt, now);

  const id = uuidv7(now);
  const about = { merchantId: terms.merchantId, accountId };
  const action = effectiveAt ? 'account.terms_planned' : 'account.terms_set';
  const described = {
    ...(effectiveAt && { effective_from: effectiveAt.toISOString() }),
    ...(reason !== null && { reason }),
  };
  const notices = await prepareTermsNotices(deps, terms, effectiveAt ? 'terms_planned' : 'terms_changed');
  await insertTermsChange(deps.db, {
    ...{ id, accountId, terms: change, reason, by: deps.operator ?? null, effectiveAt, now },
    check: (outlook) => checkOutlook(outlook, change, effectiveAt),
    audit: (before) => ({
      ...operatorEntry(deps, about, action, { subject: id, ...auditedTerms(change, before), ...described }),
      notices: notices(effectiveAt ?? now),
    }),
  });
  deps.wakeWorkers();
  return id;
}

/**
 * Cancels a change that has not taken effect, and notifies the merchant. Errors: not_found (no such
 * account), invalid_state (the account has no such change, or it is in force or was cancelled),
 * invalid_input (without it a later change would leave a minimum above its maximum).
 */
export async function cancelPlannedTerms(
  deps: TermsDeps,
  { accountId, changeId }: { accountId: string; changeId: string },
): Promise<void> {
  const now = deps.clock();
  const terms = isUuid(accountId) ? await findAccountTerms(deps.db.pool, accountId, now) : null;
  if (!terms || !isUuid(changeId)) throw new DomainError('not_found');
  const about = { merchantId: terms.merchantId, accountId };
  const notices = await prepareTermsNotices(deps, terms, 'terms_plan_cancelled');
  const audit = (from: Date) => ({
    ...operatorEntry(deps, about, 'account.terms_cancelled', { subject: changeId }),
    notices: notices(from),
  });
  const check = (outlook: TermsOutlook) => {
    const planned = outlook.planned.filter(({ id }) => id !== changeId);
    if (leavesNoAmount({ ...outlook, planned }, []) && !leavesNoAmount(outlook, [])) throw rangeReversed();
  };
  const by = deps.operator ?? null;
  const isCancelled = await cancelTermsChange(deps.db, { accountId, id: changeId, by, now, audit, check });
  if (!isCancelled) throw new DomainError('invalid_state');
  deps.wakeWorkers();
}

function checkInstant(change: TermsChange, effectiveAt: Date | null, now: Date): void {
  if (changesNothing(change)) throw invalidField(fieldIssue('terms', 'empty'));
  if (effectiveAt === null) return;
  if (mayPlanFor(effectiveAt, now)) return;
  throw invalidField(fieldIssue('effective_from', 'not_in_coming_years', { years: String(PLANNED_YEARS_MAX) }));
}

function checkOutlook(outlook: TermsOutlook, change: TermsChange, effectiveAt: Date | null): void {
  const { planned } = outlook;
  if (effectiveAt && planned.length >= PLANNED_MAX) throw new DomainError('too_many_planned');
  const before = planned.filter(({ effectiveAt: at }) => effectiveAt !== null && at <= effectiveAt);
  const first = [...before.map(({ terms }) => terms), change];
  if (leavesNoAmount({ ...outlook, planned: planned.slice(before.length) }, first)) throw rangeReversed();
}

/** Whether a new account's limits, beside the installation's, leave no amount. */
export async function opensNoAmount({ db }: Pick<Deps, 'db'>, limits: TermsChange['limits']): Promise<boolean> {
  const defaults = await findDefaultLimits(db.pool);
  return contradictoryRanges(limitsAfter(defaults, [{ limits }], defaults)).length > 0;
}

const rangeReversed = () => invalidField(fieldIssue('terms', 'range_reversed'));
