import {
  approveThreshold,
  findThreshold,
  setThreshold,
  type ThresholdState,
} from '#db/withdrawals/approval-thresholds.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { formatBrl, toBrl } from '#domain/values/money.ts';
import { LONE_OWNER_DELAY_MS } from '#domain/withdrawals/approvals.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { notifyOwnChange } from '../members/notify-change.ts';

type Who = { accountId: string; member: Member; origin: Origin };

/** The threshold of an account, and what is proposed in its place. */
export const getApprovalThreshold = (deps: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<ThresholdState> =>
  findThreshold(deps.db.pool, accountId, deps.clock());

/**
 * Sets the amount in centavos above which withdrawals wait for a second person; null: none does. A
 * lower one applies at once. A higher one, and none, waits for another owner; where there is none
 * it applies a day later. Every member is notified of either.
 */
export async function setApprovalThreshold(deps: Deps, who: Who, centavos: bigint | null): Promise<void> {
  const now = deps.clock();
  const { accountId, member } = who;
  const aloneFrom = new Date(now.getTime() + LONE_OWNER_DELAY_MS);
  const change = { accountId, memberId: member.memberId, centavos, aloneFrom, now };
  const { outcome, before, appliesFrom } = await setThreshold(deps.db.pool, change);
  if (outcome === 'unchanged') return;
  const details = { before: reaisOf(before), after: reaisOf(centavos) };
  if (outcome === 'set') {
    await recordAudit(deps, who, 'approval_threshold.set', details);
    await notifyOwnChange(deps, who, 'approval_threshold_set', changeText(before, centavos));
    return;
  }
  const applies = { applies_from: appliesFrom?.toISOString() ?? null };
  await recordAudit(deps, who, 'approval_threshold.proposed', { ...details, ...applies });
  const what = appliesFrom ? 'approval_threshold_raised_soon' : 'approval_threshold_proposed';
  await notifyOwnChange(deps, who, what, changeText(before, centavos));
}

/**
 * Approves what another owner has proposed. Errors: invalid_state (nothing is proposed, or another
 * amount), approval_own.
 */
export async function approveApprovalThreshold(deps: Deps, who: Who, centavos: bigint | null): Promise<void> {
  const approval = { accountId: who.accountId, memberId: who.member.memberId, centavos, now: deps.clock() };
  const { outcome, before } = await approveThreshold(deps.db.pool, approval);
  if (outcome === 'own') throw new DomainError('approval_own');
  if (outcome !== 'approved') throw new DomainError('invalid_state');
  await recordAudit(deps, who, 'approval_threshold.approved', { before: reaisOf(before), after: reaisOf(centavos) });
  await notifyOwnChange(deps, who, 'approval_threshold_approved', changeText(before, centavos));
}

const reaisOf = (centavos: bigint | null) => (centavos === null ? null : toBrl(centavos));

/** Read in every language. */
const changeText = (before: bigint | null, after: bigint | null) => `${textOf(before)} → ${textOf(after)}`;
/** Without points, which mails take apart so that no mail program sees an address. */
const textOf = (centavos: bigint | null) => (centavos === null ? '—' : formatBrl(centavos).replaceAll('.', ''));
