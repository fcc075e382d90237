import { approveThreshold, findThreshold, setThreshold, type ThresholdState } from '#db/withdrawals/thresholds.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { formatBrl, toBrl } from '#domain/values/money.ts';
import { LONE_OWNER_DELAY_MS, type ThresholdKind } from '#domain/withdrawals/thresholds.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';

type Who = { accountId: string; member: Member; origin: Origin };

/** A threshold and its wanted amount in centavos; null when it is to apply to no withdrawal. */
type Wanted = { kind: ThresholdKind; centavos: bigint | null };

/** A threshold of an account, and what is proposed in its place. */
export const getThreshold = (
  deps: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
  kind: ThresholdKind,
): Promise<ThresholdState> => findThreshold(deps.db.pool, { accountId, kind, now: deps.clock() });

/**
 * Sets the amount above which a threshold applies. A lower one applies at once. A higher one, or
 * none at all, waits for another owner's approval; without another owner it applies a day later.
 * Every member is notified in both cases.
 */
export async function setOwnThreshold(deps: Deps, who: Who, { kind, centavos }: Wanted): Promise<void> {
  const now = deps.clock();
  const { accountId, member } = who;
  const aloneFrom = new Date(now.getTime() + LONE_OWNER_DELAY_MS);
  const change = { accountId, kind, memberId: member.memberId, centavos, aloneFrom, now };
  const notices = await prepareOwnChangeNotices(deps, who);
  await setThreshold(deps.db.pool, change, (done) => {
    const details = { before: reaisOf(done.before), after: reaisOf(centavos) };
    const noticesOf = (what: 'set' | 'raised_soon' | 'proposed') =>
      notices(`${kind}_threshold_${what}`, changeText(done.before, centavos));
    if (done.outcome === 'set') {
      return { ...memberEntry(deps, who, `${kind}_threshold.set`, details), notices: noticesOf('set') };
    }
    const applies = { applies_from: done.appliesFrom?.toISOString() ?? null };
    return {
      ...memberEntry(deps, who, `${kind}_threshold.proposed`, { ...details, ...applies }),
      notices: noticesOf(done.appliesFrom ? 'raised_soon' : 'proposed'),
    };
  });
  deps.wakeWorkers();
}

/**
 * Approves what another owner has proposed. Errors: invalid_state (nothing is proposed, or another
 * amount), approval_own.
 */
export async function approveOwnThreshold(deps: Deps, who: Who, { kind, centavos }: Wanted): Promise<void> {
  const { accountId, member } = who;
  const approval = { accountId, kind, memberId: member.memberId, centavos, now: deps.clock() };
  const notices = await prepareOwnChangeNotices(deps, who);
  const { outcome } = await approveThreshold(deps.db.pool, approval, ({ before }) => ({
    ...memberEntry(deps, who, `${kind}_threshold.approved`, { before: reaisOf(before), after: reaisOf(centavos) }),
    notices: notices(`${kind}_threshold_approved`, changeText(before, centavos)),
  }));
  if (outcome === 'own') throw new DomainError('approval_own');
  if (outcome !== 'approved') throw new DomainError('invalid_state');
  deps.wakeWorkers();
}

const reaisOf = (centavos: bigint | null) => (centavos === null ? null : toBrl(centavos));

/** Reads the same in every language. */
const changeText = (before: bigint | null, after: bigint | null) => `${textOf(before)} → ${textOf(after)}`;
/** Without points, at which mails break a text so that no mail program sees an address in it. */
const textOf = (centavos: bigint | null) => (centavos === null ? '—' : formatBrl(centavos).replaceAll('.', ''));
