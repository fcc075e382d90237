import { sealContext } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import { isChargedOtherwise } from '#db/unmatched/foreign-payouts.ts';
import {
  acceptPayout,
  completePayout,
  failPayout,
  isOfAnotherPayout,
  NO_EVENT,
  reviewPayout,
  saveSentUnits,
} from '#db/withdrawals/payouts.ts';
import { saveReceiver } from '#db/withdrawals/receivers.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { SETTLED_STATUS, type WithdrawalStatus } from '#domain/transactions/transaction-states.ts';
import type { PixReceiver } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { planWithdrawalFailedMail } from './notify-withdrawal-failed.ts';
import { withdrawalEvent } from './withdrawal-event.ts';

/** A payout as its provider states it. */
export type SeenPayout = {
  /** The state at the provider; the status of the withdrawal also depends on its type. */
  status: 'processing' | 'completed' | 'failed';
  /** Why it failed; null when the provider does not say. */
  failureCode: string | null;
  /** The provider's own id; null where it uses ours. */
  providerId: string | null;
  endToEndId: string | null;
  txHash: string | null;
  /** The quantity of crypto that was sent; only where it may be another one than is stored. */
  units?: bigint;
  /** The owner of the PIX key; null where the provider does not say, and over crypto. */
  receiver: PixReceiver | null;
  /**
   * The instant of the attempt that it is about; only where the sender reports it, not the
   * provider.
   */
  sentAt?: Date | null;
};

export type PayoutSettlement = WithdrawalStatus | 'unchanged';

/** The SPI's code of a payment that was sent before. */
const DUPLICATE_CODE = 'DUPL';

/**
 * Brings a withdrawal to the state that its provider reports; returns its new status, or
 * `unchanged`. Safe to call any number of times, in any order, from any number of processes: an end
 * is reached once, and a provider that contradicts an end moves no money, but calls for an
 * operator. One that was completed by a payment which an account was charged for as not requested
 * fails as its duplicate: it is paid. The same answer again contradicts nothing then.
 */
export async function settlePayout(deps: Deps, stored: WithdrawalRow, seen: SeenPayout): Promise<PayoutSettlement> {
  const { endToEndId } = seen;
  const { id, rail } = stored;
  const isDuplicate = async () =>
    endToEndId !== null && (await isChargedOtherwise(deps.db.pool, { id, rail, endToEndId }));
  const isCompleted = seen.status === 'completed';
  if (isCompleted && stored.failureCode === DUPLICATE_CODE && (await isDuplicate())) return 'unchanged';
  try {
    return await settle(deps, stored, seen);
  } catch (error) {
    if (!(await isDuplicate())) throw (await isOfAnother(deps, stored, seen)) ? new PaymentOfAnother(error) : error;
    deps.log.warn({ transactionId: id, endToEndId }, 'A payout is one that an account was charged for.');
    const duplicate = { ...seen, status: 'failed', failureCode: DUPLICATE_CODE, endToEndId: null } as const;
    return settle(deps, stored, isCompleted ? duplicate : { ...seen, endToEndId: null });
  }
}

const isOfAnother = async (deps: Deps, { id, rail }: WithdrawalRow, { endToEndId }: SeenPayout): Promise<boolean> =>
  endToEndId !== null && (await isOfAnotherPayout(deps.db.pool, { id, rail, endToEndId }));

/** The provider says of two payouts that they are one payment; this one stays without an answer. */
class PaymentOfAnother extends Error {
  constructor(cause: unknown) {
    super('The PSP names the payment of another payout: ask it which of the two it has made.', { cause });
  }
}

async function settle(deps: Deps, stored: WithdrawalRow, seen: SeenPayout): Promise<PayoutSettlement> {
  const withdrawal = { ...stored, units: seen.units ?? stored.units };
  const { id, status: from } = withdrawal;
  const db = deps.db.pool;
  const now = deps.clock();
  const { providerId, endToEndId } = seen;
  const change = { id, from, providerId, endToEndId, now };
  const ids = { providerId, endToEndId, now };
  const settled = SETTLED_STATUS[withdrawal.type];
  const open = from === 'pending' || from === 'processing';
  const txHashes = seen.txHash === null ? [] : [seen.txHash];

  // Before the event is written: a reader who opens the withdrawal then sees the name too.
  if (seen.receiver && withdrawal.receiverName === null) await keepReceiver(deps, id, seen.receiver);
  if (seen.units !== undefined && seen.units !== stored.units) await saveSentUnits(db, id, seen.units, now);
  if (seen.status === 'processing') {
    // A crypto withdrawal stays `pending` in the contract until it is completed, and this step has
    // no event.
    const to = withdrawal.type === 'pix_out' ? 'processing' : 'pending';
    if (from !== 'pending' || (to === 'pending' && withdrawal.payoutStep === 'sent')) return 'unchanged';
    const event = to === from ? NO_EVENT : withdrawalEvent(deps, withdrawal, { status: to, ...ids });
    return done(deps, await acceptPayout(db, { ...change, to, ...event }), from, to);
  }
  if (open && seen.status === 'completed') {
    const event = withdrawalEvent(deps, withdrawal, { status: settled, paidAt: now, ...ids });
    const before = await completePayout(db, { ...change, txHashes, paidAt: now, ...event });
    if (before === from) deps.observe({ kind: 'ledger_posting', posting: 'withdrawal_completed' });
    return done(deps, before, from, settled);
  }
  if (open) {
    const failureCode = seen.failureCode ?? 'provider_refused';
    const event = withdrawalEvent(deps, withdrawal, { status: 'failed', failureCode, ...ids });
    await planWithdrawalFailedMail(deps, withdrawal);
    const before = await failPayout(db, { ...change, failureCode, sentAt: seen.sentAt ?? null, ...event });
    if (before === from) deps.observe({ kind: 'ledger_posting', posting: 'withdrawal_failed' });
    return done(deps, before, from, 'failed');
  }
  const said = seen.status === 'completed' ? settled : 'failed';
  if (from === 'review' || from === said) return 'unchanged';
  deps.log.error(
    { transactionId: id, status: from, provider: said },
    'A provider contradicts how a payout ended: no money was moved, an operator must decide.',
  );
  const failureCode = `provider_says_${said}`;
  const event = withdrawalEvent(deps, withdrawal, { status: 'review', failureCode, ...ids });
  return done(deps, await reviewPayout(db, { ...change, txHashes, failureCode, ...event }), from, 'review');
}

async function keepReceiver(deps: Deps, id: string, { name, document }: PixReceiver): Promise<void> {
  await saveReceiver(deps.db.pool, id, {
    name: deps.secretBox.seal(name, sealContext('transactions.receiver_name', { id })),
    document: sealTransactionText(deps.secretBox, id, 'receiverDocument', document),
  });
}

/** The new status; one that changed meanwhile shows that another process took the step. */
function done(
  deps: Deps,
  before: WithdrawalStatus | null,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
): PayoutSettlement {
  if (before !== from) return 'unchanged';
  deps.wakeWorkers();
  return to;
}
