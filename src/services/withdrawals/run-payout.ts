import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { findApproval } from '#db/withdrawals/approvals.ts';
import {
  failBlockedPayout,
  findTakenPayouts,
  findWithdrawal,
  markPayoutUnknown,
  startPayout,
  type WithdrawalRow,
} from '#db/withdrawals/withdrawals.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { aboutTransaction } from '#rails/call-trace.ts';
import type {
  CryptoPayout,
  CryptoPayoutLikeness,
  CryptoRail,
  Outcome,
  PayoutOutcome,
  PixPayout,
} from '#rails/ports.ts';
import { planLimitCheck } from '../accounts/notify-near-limits.ts';
import type { Deps } from '../deps.ts';
import { firstPoll, nextPoll } from '../next-poll.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { planWithdrawalFailedMail } from './notify-withdrawal-failed.ts';
import { openPixKey } from './request-pix-withdrawal.ts';
import { type SeenPayout, settlePayout } from './settle-payout.ts';
import { withdrawalEvent } from './withdrawal-event.ts';

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
  const provider = await findProvider(deps, withdrawal);
  if (withdrawal.payoutStep === null) return start(deps, provider, withdrawal, null);
  const found = await provider.find();
  if (found.outcome !== 'done') throw new ProviderUnavailable(found.reason);
  if (found.value) return settleAndPollAgain(deps, withdrawal, found.value);

  const now = deps.clock();
  const lostAt = new Date((withdrawal.payoutSentAt ?? now).getTime() + provider.lostAfterMs);
  if (now < lostAt) return new Date(Math.min(lostAt.getTime(), nextPoll(sinceOf(withdrawal), now).getTime()));
  if (withdrawal.payoutStep === 'sending') return start(deps, provider, withdrawal, withdrawal.payoutSentAt);
  if (withdrawal.payoutStep === 'sent')
    throw new ProviderUnavailable('the provider no longer knows a payout it had accepted');
  return settleAndPollAgain(deps, withdrawal, { ...lost, sentAt: withdrawal.payoutSentAt });
}

/**
 * Queries a payout that was sent at its provider, after a callback about it; never sends. Returns
 * the outcome for the callback's record. Throws ProviderUnavailable when the provider can't say.
 */
export async function syncPayout(deps: Deps, id: string): Promise<'unknown_payout' | 'unchanged' | string> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (!withdrawal || withdrawal.payoutStep === null) return 'unknown_payout';
  const found = await (await findProvider(deps, withdrawal)).find();
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

/** A provider's calls for one withdrawal. */
type Provider = {
  send(): Promise<PayoutOutcome<SeenPayout>>;
  find(): Promise<Outcome<SeenPayout | null>>;
  lostAfterMs: number;
};

async function start(
  deps: Deps,
  provider: Provider,
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

async function findProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<Provider> {
  const provider = await (withdrawal.type === 'pix_out' ? pixProvider : cryptoProvider)(deps, withdrawal);
  // A crypto processor does not take our id, so its calls do not name the transaction by
  // themselves.
  return {
    ...provider,
    send: () => aboutTransaction(withdrawal.id, provider.send),
    find: () => aboutTransaction(withdrawal.id, provider.find),
  };
}

async function pixProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<Provider> {
  const payouts = (await deps.rails.pixNamed(withdrawal.rail))?.payouts;
  if (!payouts) throw new ProviderUnavailable(`No rail named ${withdrawal.rail} that sends PIX is configured.`);
  const payoutId = uuidToTxid(withdrawal.id);
  return {
    lostAfterMs: payouts.lostAfterMs,
    async send() {
      const sent = await payouts.sendPayout({
        payoutId,
        amountCentavos: withdrawal.amountCentavos,
        pixKey: openPixKey(deps, withdrawal),
        description: openTransaction(deps.secretBox, withdrawal).description,
      });
      return sent.outcome === 'done' ? { outcome: 'done', value: seenPix(sent.value) } : sent;
    },
    async find() {
      const found = await payouts.findPayout(payoutId);
      if (found.outcome !== 'done') return found;
      if (found.value === null) return { outcome: 'done', value: null };
      // As a rail has it of the answer to sending: nobody knows yet what was sent.
      if (found.value.amountCentavos !== withdrawal.amountCentavos) {
        return { outcome: 'unknown', reason: 'the PSP answered about another amount' };
      }
      return { outcome: 'done', value: seenPix(found.value) };
    },
  };
}

const seenPix = (payout: PixPayout): SeenPayout => ({
  status: payout.status,
  failureCode: payout.failureCode,
  providerId: null,
  endToEndId: payout.endToEndId,
  txHash: null,
  receiver: payout.receiver,
});

async function cryptoProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<Provider> {
  const rail = await deps.rails.cryptoNamed(withdrawal.rail);
  const { currency, units, wallet, memo, providerId } = withdrawal;
  if (!rail) throw new ProviderUnavailable(`No rail named ${withdrawal.rail} is configured.`);
  if (currency === null || !isCurrencyCode(currency) || units === null || wallet === null) {
    throw new Error(`Crypto withdrawal ${withdrawal.id} lacks its currency, quantity or wallet.`);
  }
  const request = { currency, units, wallet, memo };
  return {
    lostAfterMs: rail.lostAfterMs,
    async send() {
      const sent = await rail.sendPayout(request);
      return sent.outcome === 'done' ? { outcome: 'done', value: seenCrypto(sent.value) } : sent;
    },
    async find() {
      if (providerId !== null) {
        const found = await rail.findPayout(providerId);
        if (found.outcome !== 'done') return found;
        return { outcome: 'done', value: found.value && seenCrypto(found.value) };
      }
      // The processor does not take our id, so its payouts of exactly this kind are searched,
      // without those of other withdrawals.
      const find = (like: CryptoPayoutLikeness) => findUntaken(deps, rail, withdrawal, like);
      const alike = await find(request);
      if (alike.outcome !== 'done') return alike;
      // The oldest one: a newer one may be of a later withdrawal, whose query does not reach back
      // to the older ones.
      const [own] = alike.value.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
      if (own) return { outcome: 'done', value: seenCrypto(own) };
      if (!(await mayBeRequoted(deps, withdrawal))) return { outcome: 'done', value: null };
      const similar = await find({ ...request, units: null });
      if (similar.outcome !== 'done') return similar;
      const apart = (payout: CryptoPayout) => (payout.units > units ? payout.units - units : units - payout.units);
      const [nearest] = similar.value
        .filter((payout) => apart(payout) * REQUOTE_PARTS <= units)
        .sort((one, other) => Number(apart(one) - apart(other)));
      return { outcome: 'done', value: nearest ? { ...seenCrypto(nearest), units: nearest.units } : null };
    },
  };
}

/** By a quarter: prices rarely move more within the week in which a withdrawal can be approved. */
const REQUOTE_PARTS = 4n;

/**
 * Whether a payout may have been sent of another quantity than the one that is stored: the database
 * was restored from a backup in which the withdrawal waited, and it was approved since, at the
 * quote of then.
 */
async function mayBeRequoted(deps: Deps, { id }: WithdrawalRow): Promise<boolean> {
  const approval = await findApproval(deps.db.pool, id);
  return approval !== null && approval.outcome === null;
}

/** The processor's payouts that are alike, without those that belong to other withdrawals. */
async function findUntaken(
  deps: Deps,
  rail: CryptoRail,
  { rail: name, payoutSentAt, createdAt }: WithdrawalRow,
  like: CryptoPayoutLikeness,
): Promise<Outcome<CryptoPayout[]>> {
  const alike = await rail.findPayoutsLike(like, payoutSentAt ?? createdAt);
  if (alike.outcome !== 'done') return alike;
  const ids = alike.value.map((payout) => payout.providerId);
  const taken = await findTakenPayouts(deps.db.pool, name, ids);
  return { outcome: 'done', value: alike.value.filter((payout) => !taken.has(payout.providerId)) };
}

const seenCrypto = (payout: CryptoPayout): SeenPayout => ({
  status: payout.status,
  failureCode: payout.status === 'failed' ? 'network_failed' : null,
  providerId: payout.providerId,
  endToEndId: null,
  txHash: payout.txHash,
  receiver: null,
});
