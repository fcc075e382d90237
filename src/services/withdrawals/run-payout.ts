import { failBlockedPayout, markPayoutUnknown, startPayout } from '#db/withdrawals/payouts.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { planLimitCheck } from '../accounts/notify-near-limits.ts';
import type { Deps } from '../deps.ts';
import { firstPoll, nextPoll } from '../next-poll.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { planWithdrawalFailedMail } from './notify-withdrawal-failed.ts';
import { findPayoutProvider, type PayoutProvider } from './payout-provider.ts';
import { resumeSent } from './resume-sent.ts';
import { type SeenPayout, settlePayout } from './settle-payout.ts';
import { withdrawalEvent } from './withdrawal-event.ts';

/** The part of `lostAfterMs` (ten minutes) within which every call that was begun has ended. */
const CALL_SHARE = 1 / 4;

/**
 * Takes the next step of a withdrawal's payout; returns the time of the following one, or null when
 * the withdrawal has ended.
 *
 * A payout is sent once. The right to send is claimed and committed before the provider is called,
 * and a process that finds it claimed only queries its outcome. There is one exception: the claim
 * of a process that died before it had a response (`sending`). Once the provider is known to have
 * nothing, long enough after, that claim is taken over. After a call that got no answer (`unknown`)
 * nothing is sent again: a provider that still has nothing by then never had it, and the money is
 * given back. A payout that was not started, or is known to have reached no provider, is no longer
 * sent once its account is suspended or its merchant rejected, and its money is given back. Throws
 * ProviderUnavailable when the provider can't say.
 */
export async function runPayout(deps: Deps, id: string): Promise<Date | null> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (!withdrawal || isOver(withdrawal)) return null;
  const provider = await findPayoutProvider(deps, withdrawal);
  if (withdrawal.payoutStep === null) return start(deps, provider, withdrawal, null);
  const found = await provider.find();
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  if (found.value) return settleAndPollAgain(deps, withdrawal, found.value);

  const now = deps.clock();
  const lostAt = new Date((withdrawal.payoutSentAt ?? now).getTime() + provider.lostAfterMs);
  if (now < lostAt) return new Date(Math.min(lostAt.getTime(), nextPoll(sinceOf(withdrawal), now).getTime()));
  if (withdrawal.payoutStep === 'sent')
    throw new ProviderUnavailable('the provider no longer knows a payout it had accepted');
  // Where the clock was set ahead, less time has passed than it says: the call may be under way
  // still.
  const callMs = provider.lostAfterMs * CALL_SHARE;
  if (deps.steadyForMs() < callMs) return new Date(now.getTime() + callMs);
  if (withdrawal.payoutStep === 'sending') return start(deps, provider, withdrawal, withdrawal.payoutSentAt);
  return settleAndPollAgain(deps, withdrawal, { ...lost, sentAt: withdrawal.payoutSentAt });
}

/**
 * Queries a payout that was sent at its provider, after a callback about it; never sends. One that
 * waits for its approval here, and that the provider has, goes on as one that was sent (`resumed`).
 * Returns the outcome for the callback's record. Throws ProviderUnavailable when the provider can't
 * say.
 */
export async function syncPayout(deps: Deps, id: string): Promise<'unknown_payout' | 'unchanged' | string> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (withdrawal?.subStatus === 'pending_approval' && (await resumeSent(deps, withdrawal))) return 'resumed';
  if (!withdrawal || withdrawal.payoutStep === null) return 'unknown_payout';
  const found = await (await findPayoutProvider(deps, withdrawal)).find();
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  return found.value ? settlePayout(deps, withdrawal, found.value) : 'unchanged';
}

const isOver = ({ status }: WithdrawalRow) => status !== 'pending' && status !== 'processing';

const lost: SeenPayout = {
  status: 'failed',
  failureCode: 'provider_lost',
  providerId: null,
  endToEndId: null,
  txHash: null,
  receiver: null,
};

const takenAs = (providerId: string): SeenPayout => ({ ...lost, status: 'processing', failureCode: null, providerId });

async function start(
  deps: Deps,
  provider: PayoutProvider,
  withdrawal: WithdrawalRow,
  sentBefore: Date | null,
): Promise<Date | null> {
  const { id } = withdrawal;
  await planLimitCheck(deps, withdrawal);
  const now = deps.clock();
  const claim = await startPayout(deps.db.pool, id, sentBefore, now);
  if (claim === 'blocked' && (await failBlocked(deps, withdrawal, sentBefore))) return null;
  // Without the claim it is polled later: another process is sending.
  if (claim !== 'started') return firstPoll(now);
  // When this process was stopped between the claim and here (its machine was suspended, or was
  // overloaded), another one may have taken the claim over, so nothing is sent. A call takes
  // seconds: one that begins in the first half of the time has ended before the claim can be taken
  // over.
  const heldMs = deps.clock().getTime() - now.getTime();
  if (heldMs >= provider.lostAfterMs / 2) {
    deps.log.warn({ transactionId: id, heldMs }, 'A payout was not sent: too long after its claim.');
    return new Date(now.getTime() + provider.lostAfterMs);
  }
  const sent = await provider.send();
  const sending: WithdrawalRow = { ...withdrawal, payoutStep: 'sending', payoutSentAt: now };
  if (sent.outcome === 'done') return settleAndPollAgain(deps, sending, sent.value);
  deps.log.warn(
    { transactionId: id, outcome: sent.outcome, reason: sent.reason },
    'The provider did not take a payout.',
  );
  if (sent.outcome === 'rejected') {
    const failureCode = sent.failureCode ?? 'provider_refused';
    return settleAndPollAgain(deps, sending, { ...lost, failureCode, sentAt: now });
  }
  // What the provider has taken is asked about by its id: a list of payouts like the requested one
  // may lack it, and it would count as lost.
  if (sent.providerId !== undefined) return settleAndPollAgain(deps, sending, takenAs(sent.providerId));
  await markPayoutUnknown(deps.db.pool, id, deps.clock());
  return firstPoll(deps.clock());
}

/**
 * Fails a withdrawal that is not on its way, because its account may send no money any more; false:
 * the account may send again, or the payout was started meanwhile.
 */
async function failBlocked(deps: Deps, withdrawal: WithdrawalRow, sentBefore: Date | null): Promise<boolean> {
  const now = deps.clock();
  const failureCode = 'account_stopped';
  const event = withdrawalEvent(deps, withdrawal, {
    status: 'failed',
    failureCode,
    providerId: null,
    endToEndId: null,
    now,
  });
  await planWithdrawalFailedMail(deps, withdrawal);
  if (!(await failBlockedPayout(deps.db.pool, { id: withdrawal.id, sentBefore, now, ...event }))) return false;
  deps.observe({ kind: 'ledger_posting', posting: 'withdrawal_failed' });
  deps.wakeWorkers();
  return true;
}

async function settleAndPollAgain(deps: Deps, withdrawal: WithdrawalRow, seen: SeenPayout): Promise<Date | null> {
  const settled = await settlePayout(deps, withdrawal, seen);
  // Unchanged: another process has found it meanwhile, perhaps not at its end.
  const isUnderWay = seen.status === 'processing' || settled === 'unchanged';
  return isUnderWay ? nextPoll(sinceOf(withdrawal), deps.clock()) : null;
}

const sinceOf = ({ payoutSentAt, createdAt }: WithdrawalRow): Date => payoutSentAt ?? createdAt;
