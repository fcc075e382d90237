import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { findApproval } from '#db/withdrawals/approvals.ts';
import { findTakenPayouts } from '#db/withdrawals/payouts.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
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
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { openPixKey } from './request-pix-withdrawal.ts';
import type { SeenPayout } from './settle-payout.ts';

/** A provider's calls for one withdrawal. */
export type PayoutProvider = {
  send(): Promise<PayoutOutcome<SeenPayout>>;
  find(): Promise<Outcome<SeenPayout | null>>;
  lostAfterMs: number;
};

/**
 * Returns the calls of the provider that a withdrawal is sent over. Throws ProviderUnavailable
 * where its rail is not configured.
 */
export async function findPayoutProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<PayoutProvider> {
  const provider = await (withdrawal.type === 'pix_out' ? pixProvider : cryptoProvider)(deps, withdrawal);
  // A crypto processor does not take our id, so its calls do not name the transaction by
  // themselves.
  return {
    ...provider,
    send: () => aboutTransaction(withdrawal.id, provider.send),
    find: () => aboutTransaction(withdrawal.id, provider.find),
  };
}

async function pixProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<PayoutProvider> {
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
      // What was sent is not known, as after an answer to sending that says another amount.
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

async function cryptoProvider(deps: Deps, withdrawal: WithdrawalRow): Promise<PayoutProvider> {
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
      if (sent.outcome === 'rejected') return sent;
      const id = sent.outcome === 'done' ? sent.value.providerId : sent.providerId;
      if (id !== undefined && (await findTakenPayouts(deps.db.pool, rail.name, [id])).has(id)) {
        return { outcome: 'unknown', reason: 'the processor names an operation of another transaction' };
      }
      return sent.outcome === 'done' ? { outcome: 'done', value: seenCrypto(sent.value) } : sent;
    },
    async find() {
      if (providerId !== null) {
        const found = await rail.findPayout(providerId, request);
        if (found.outcome !== 'done') return found;
        return { outcome: 'done', value: found.value && seenCrypto(found.value) };
      }
      // The processor does not take our id, so its payouts of exactly this kind are searched,
      // without those of other withdrawals.
      const find = (like: CryptoPayoutLikeness) => findUntaken(deps, rail, withdrawal, like);
      const alike = await find(request);
      if (alike.outcome !== 'done') return alike;
      // The oldest one: a newer one may be of a later withdrawal, whose query does not reach back
      // to the older ones. One that failed, only where there is no other: it may be of an earlier
      // withdrawal that had failed by then, and the money of one that was sent would be given back.
      const [own] = alike.value.sort(
        (one, other) =>
          Number(one.status === 'failed') - Number(other.status === 'failed') ||
          one.createdAt.getTime() - other.createdAt.getTime(),
      );
      if (own) return { outcome: 'done', value: seenCrypto(own) };
      if (!(await mayBeRequoted(deps, withdrawal))) return { outcome: 'done', value: null };
      const similar = await find({ ...request, units: null });
      if (similar.outcome !== 'done') return similar;
      const nearest = nearestTo(units, similar.value);
      return { outcome: 'done', value: nearest && { ...seenCrypto(nearest), units: nearest.units } };
    },
  };
}

/**
 * Of another quote a quantity may differ by this part of the first one, a quarter: prices rarely
 * move more within the week in which a withdrawal can be approved.
 */
const REQUOTE_DIVISOR = 4n;

/** The payout whose quantity is nearest to this one; null: all are too far from it. */
function nearestTo(units: bigint, payouts: readonly CryptoPayout[]): CryptoPayout | null {
  const apart = (payout: CryptoPayout) => (payout.units > units ? payout.units - units : units - payout.units);
  const [nearest] = payouts
    .filter((payout) => apart(payout) * REQUOTE_DIVISOR <= units)
    .sort((one, other) => Number(apart(one) - apart(other)));
  return nearest ?? null;
}

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

/** Returns a crypto processor's payout as settlePayout takes it. */
export const seenCrypto = (payout: CryptoPayout): SeenPayout => ({
  status: payout.status,
  failureCode: payout.status === 'failed' ? 'network_failed' : null,
  providerId: payout.providerId,
  endToEndId: null,
  txHash: payout.txHash,
  receiver: null,
});
