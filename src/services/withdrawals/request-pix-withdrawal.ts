import type { EntryWithoutNotices } from '#db/audit/audit.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  findWithdrawal,
  type NewWithdrawal,
  type RequestOutcome,
  requestWithdrawal,
} from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { toBrl } from '#domain/values/money.ts';
import type { WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { rejectUnlessPayee } from '../payees/reject-unless-payee.ts';
import { referenceTaken } from '../transactions/seal-merchant-fields.ts';
import { newPixWithdrawal, type PixWithdrawalInput, pixWithdrawalTerms } from './new-pix-withdrawal.ts';
import { askerOf, rejectMoneyOut } from './reject-money-out.ts';
import { limitPeriods } from './withdrawal-terms.ts';

export type RequestedPixWithdrawal = {
  id: string;
  feeCentavos: bigint;
  amountCentavos: bigint;
  createdAt: Date;
  /** Whether it waits for a second person, or for its date. */
  subStatus: WithdrawalSubStatus | null;
  /** When it begins; null: it is sent at once. */
  scheduledFor: Date | null;
};

/**
 * Requests that a PIX be sent: the receiver gets exactly the amount, the fee comes on top, and both
 * are held from now on. The worker sends it; above the account's threshold, only after a second
 * person has approved it. Requesting it twice with one id requests it once.
 *
 * Errors, in this order: account_suspended, kyc_not_approved, rail_closed,
 * own_credentials_required, rail_not_configured, below_minimum, above_maximum, reference_taken
 * (with `transaction_id`), withdrawals_paused, not_a_payee, payee_waits (with `usable_from`),
 * daily_limit_reached, night_limit_reached, insufficient_funds. The last seven, and the first two
 * once more, are decided by the statement that holds the money. For an assistant, whose withdrawals
 * always wait for a member, it also decides key_call_cap_exceeded and key_day_cap_reached, before
 * the limits.
 */
export const requestPixWithdrawal = (
  deps: Deps,
  acting: Acting,
  input: PixWithdrawalInput,
): Promise<RequestedPixWithdrawal> =>
  orRequestedBefore(deps, acting.accountId, input.id, () => requestNow(deps, acting, input));

async function requestNow(deps: Deps, acting: Acting, input: PixWithdrawalInput): Promise<RequestedPixWithdrawal> {
  const { id, amountCentavos } = input;
  const { accountId, actor } = acting;
  const { rail, feeCentavos, now } = await pixWithdrawalTerms(deps, accountId, amountCentavos);
  const by = askerOf(actor);
  const withdrawal = newPixWithdrawal(deps, input, { accountId, rail: rail.name, feeCentavos, now });
  const outcome = await requestWithdrawal(
    deps.db.pool,
    withdrawal,
    limitPeriods(now),
    by,
    requestedEntry(deps, acting, input),
  );
  await rejectMoneyOut(deps, outcome, { accountId, by, now });
  await rejectUnlessPayee(deps, outcome, accountId, withdrawal.destination);
  await rejectUnlessRequested(deps, outcome, withdrawal);
  if (outcome === 'exists') return findRequested(deps, accountId, id);
  deps.wakeWorkers();
  return { id, amountCentavos, feeCentavos, createdAt: now, subStatus: subStatusOf(outcome), scheduledFor: null };
}

/**
 * Requests a withdrawal; where it is rejected, returns the one that an earlier attempt has made
 * under this id. What is checked before the money is held may have changed since that attempt.
 */
export async function orRequestedBefore(
  deps: Deps,
  accountId: string,
  id: string,
  request: () => Promise<RequestedPixWithdrawal>,
): Promise<RequestedPixWithdrawal> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof DomainError && (await findWithdrawal(deps.db.pool, id)))
      return findRequested(deps, accountId, id);
    throw error;
  }
}

/** The audit entry of a request for a withdrawal, written by the statement that holds the money. */
export const requestedEntry = (
  deps: Pick<Deps, 'clock'>,
  acting: Acting,
  { id, amountCentavos }: { id: string; amountCentavos: bigint },
): EntryWithoutNotices | null =>
  actorEntry(deps, acting, 'withdrawal.requested', { subject: id, amount: toBrl(amountCentavos) });

/** The key of a PIX withdrawal, readable; empty where it has none. */
export const openPixKey = (deps: Pick<Deps, 'secretBox'>, withdrawal: { id: string; pixKey: string | null }): string =>
  withdrawal.pixKey === null
    ? ''
    : deps.secretBox.open(withdrawal.pixKey, sealContext('transactions.pix_key', { id: withdrawal.id }));

const REJECTIONS: Partial<Record<RequestOutcome, ErrorCode>> = {
  key_call_cap: 'key_call_cap_exceeded',
  key_day_cap: 'key_day_cap_reached',
  daily_limit: 'daily_limit_reached',
  night_limit: 'night_limit_reached',
  insufficient_funds: 'insufficient_funds',
};

/** Throws the error for an outcome that rejects a request; returns for every other outcome. */
export async function rejectUnlessRequested(
  deps: Pick<Deps, 'db'>,
  outcome: RequestOutcome,
  { accountId, id, merchant }: Pick<NewWithdrawal, 'accountId' | 'id' | 'merchant'>,
): Promise<void> {
  if (outcome === 'reference_taken') throw await referenceTaken(deps, accountId, id, merchant);
  const code = REJECTIONS[outcome];
  if (code) throw new DomainError(code);
}

export const subStatusOf = (outcome: RequestOutcome): WithdrawalSubStatus | null =>
  outcome === 'pending_approval' || outcome === 'scheduled' ? outcome : null;

/**
 * Finds an earlier request with this id. An id of another account is never passed here, because the
 * service makes the ids.
 */
export async function findRequested(deps: Deps, accountId: string, id: string): Promise<RequestedPixWithdrawal> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (withdrawal?.accountId !== accountId) throw new Error(`Withdrawal ${id} is not of account ${accountId}.`);
  return withdrawal;
}
