import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { cancelTermsChange, insertTermsChange, listPlannedTerms } from '#db/accounts/terms-changes.ts';
import { invalidateAccountCaches } from '#db/api-keys/api-keys.ts';
import {
  auditedTerms,
  changesNothing,
  contradictoryRanges,
  limitsAfter,
  type TermsChange,
} from '#domain/accounts/terms-change.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type FieldIssue, fieldIssue } from '#domain/errors/issues.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import type { NotifyDeps } from '../members/notify-members.ts';
import { notifyTermsChange } from './notify-terms-change.ts';

type TermsDeps = NotifyDeps & AsOperator;

/** Nobody agrees on fees for longer; a later day is a slip of the operator's fingers. */
const PLANNED_YEARS_MAX = 2;
const YEAR_MS = 366 * 24 * 3_600_000;

/** More than a negotiation has steps, and few enough for a page to show. */
const PLANNED_MAX = 12;

export type ChangeTermsInput = {
  accountId: string;
  terms: TermsChange;
  /** From then on it holds; null: from now on. */
  effectiveAt: Date | null;
  /** For the history and the audit. */
  reason: string | null;
};

/**
 * Changes what is agreed on with an account, now or at a later instant, in every process at once,
 * and notifies the merchant. Gives the id of the change. A later one takes effect with nobody doing
 * anything, until it is cancelled.
 *
 * Errors: not_found, invalid_input (nothing changes, an instant that is past or too far away, or a
 * least amount above the largest), too_many_planned.
 */
export async function changeTerms(deps: TermsDeps, input: ChangeTermsInput): Promise<string> {
  const { accountId, terms: change, effectiveAt, reason } = input;
  const now = deps.clock();
  const terms = isUuid(accountId) ? await findAccountTerms(deps.db.pool, accountId, now) : null;
  if (!terms) throw new DomainError('not_found');
  await check(deps, { terms, change, effectiveAt, now });

  const id = uuidv7(now);
  const about = { merchantId: terms.merchantId, accountId };
  const action = effectiveAt ? 'account.terms_planned' : 'account.terms_set';
  const described = {
    ...(effectiveAt && { effective_from: effectiveAt.toISOString() }),
    ...(reason !== null && { reason }),
  };
  await insertTermsChange(deps.db, {
    ...{ id, accountId, terms: change, reason, by: deps.operator ?? null, effectiveAt, now },
    audit: (before) =>
      operatorEntry(deps, about, action, { subject: id, ...auditedTerms(change, before), ...described }),
  });
  await invalidateAccountCaches(deps.db.pool, accountId);
  deps.wakeWorkers();
  await notifyTermsChange(
    deps,
    terms,
    effectiveAt ? { what: 'terms_planned', from: effectiveAt } : { what: 'terms_changed', from: now },
  );
  return id;
}

/**
 * Cancels a change that has not taken effect, and notifies the merchant. Errors: not_found,
 * invalid_state (it is in force, or was cancelled before).
 */
export async function cancelPlannedTerms(
  deps: TermsDeps,
  { accountId, changeId }: { accountId: string; changeId: string },
): Promise<void> {
  const now = deps.clock();
  const terms = isUuid(accountId) ? await findAccountTerms(deps.db.pool, accountId, now) : null;
  if (!terms || !isUuid(changeId)) throw new DomainError('not_found');
  const planned = (await listPlannedTerms(deps.db, accountId, now)).find(({ id }) => id === changeId);
  const about = { merchantId: terms.merchantId, accountId };
  const audit = operatorEntry(deps, about, 'account.terms_cancelled', { subject: changeId });
  const by = deps.operator ?? null;
  if (!planned || !(await cancelTermsChange(deps.db.pool, { accountId, id: changeId, by, now, audit }))) {
    throw new DomainError('invalid_state');
  }
  await invalidateAccountCaches(deps.db.pool, accountId);
  await notifyTermsChange(deps, terms, { what: 'terms_plan_cancelled', from: planned.effectiveAt });
}

async function check(
  { db }: Pick<Deps, 'db'>,
  asked: { terms: AccountTerms; change: TermsChange; effectiveAt: Date | null; now: Date },
): Promise<void> {
  const { terms, change, effectiveAt, now } = asked;
  if (changesNothing(change)) throw invalid(fieldIssue('terms', 'empty'));
  const planned = await listPlannedTerms(db, terms.accountId, now);
  if (effectiveAt) {
    const latest = now.getTime() + PLANNED_YEARS_MAX * YEAR_MS;
    if (effectiveAt <= now || effectiveAt.getTime() > latest) {
      throw invalid(fieldIssue('effective_from', 'not_in_coming_years', { years: String(PLANNED_YEARS_MAX) }));
    }
    if (planned.length >= PLANNED_MAX) throw new DomainError('too_many_planned');
  }
  // Those that take effect before it, and those after it: no moment may be left without a range.
  const before = planned.filter(({ effectiveAt: at }) => effectiveAt !== null && at <= effectiveAt);
  const after = planned.slice(before.length);
  const changes = [...before.map((one) => one.terms), change];
  for (const later of [null, ...after]) {
    if (later) changes.push(later.terms);
    if (contradictoryRanges(limitsAfter(terms.limits, changes)).length > 0) {
      throw invalid(fieldIssue('terms', 'range_reversed'));
    }
  }
}

const invalid = (issue: FieldIssue) => new DomainError('invalid_input', { details: [issue] });
