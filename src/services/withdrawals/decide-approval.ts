import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Destination } from '#db/payees/payees.ts';
import { type ApproveOutcome, approveWithdrawal, declineWithdrawal, findApproval } from '#db/withdrawals/approvals.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { unitsBought } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { toBrl } from '#domain/values/money.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { belowMinimum } from '../accounts/check-limits.ts';
import type { Member, Origin, Principal } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { pixDestination, walletDestination } from '../payees/destination.ts';
import { rejectUnlessPayee } from '../payees/reject-unless-payee.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import { getQuote } from '../quotes/get-quote.ts';
import { failWaiting } from './fail-waiting.ts';
import { rejectMoneyOut } from './reject-money-out.ts';
import { openPixKey } from './request-pix-withdrawal.ts';
import { withdrawalTerms } from './withdrawal-terms.ts';

type Who = { member: Member; origin: Origin; principal: Principal };

/**
 * Approves a withdrawal of this account that waits for a second person, and has it sent. Its limits
 * were used when it was requested. A crypto withdrawal is bought at the current price, so that
 * waiting for a better price gains nothing.
 *
 * Errors: transaction_not_found, account_suspended, kyc_not_approved, quote_unavailable,
 * below_minimum, approval_decided (it no longer waits), approval_own (the member requested it, or
 * created or rotated the key that did), withdrawals_paused (the member is paused), asker_paused
 * (the one who requested it is), not_a_payee, payee_waits (with `usable_from`), insufficient_funds
 * (the account owes by now; what is held pays that once the withdrawal is declined).
 */
export async function approveOwnWithdrawal(deps: Deps, who: Who, id: string): Promise<void> {
  const { accountId } = who.principal;
  const { memberId } = who.member;
  const withdrawal = await findWaiting(deps, accountId, id);
  const requote = await quoteAgain(deps, withdrawal);
  const now = deps.clock();
  const destination = destinationOf(deps, withdrawal);
  const approval = { id: withdrawal.id, accountId, memberId, requote, destination, now };
  const audit = memberEntry(deps, { ...who, accountId }, 'withdrawal.approved', aboutOf(withdrawal));
  const outcome = await approveWithdrawal(deps.db.pool, approval, audit);
  await rejectMoneyOut(deps, outcome, { accountId, by: { keyId: null, memberId }, now });
  await rejectUnlessPayee(deps, outcome, accountId, destination);
  rejectUnlessApproved(outcome);
  deps.wakeWorkers();
}

/**
 * Declines a withdrawal of this account that waits, also one that the member requested: it fails,
 * and its money is available again. Errors: transaction_not_found, approval_decided (also where the
 * PSP has it, which a database that was lost has sent), unavailable (the PSP can't say).
 */
export async function declineOwnWithdrawal(
  deps: Deps,
  who: Who,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { accountId } = who.principal;
  const withdrawal = await findWaiting(deps, accountId, id);
  const sealed = deps.secretBox.seal(
    reason,
    sealContext('withdrawal_approvals.reason', { transaction_id: withdrawal.id }),
  );
  const audit = memberEntry(deps, { ...who, accountId }, 'withdrawal.declined', aboutOf(withdrawal));
  const outcome = await failWaiting(deps, withdrawal, 'approval_declined', (event) =>
    declineWithdrawal(deps.db.pool, { ...event, memberId: who.member.memberId, reason: sealed }, audit),
  ).catch((error: unknown) => {
    throw error instanceof ProviderUnavailable ? new DomainError('unavailable', { cause: error }) : error;
  });
  if (outcome !== 'declined') throw new DomainError('approval_decided');
}

/** Finds a withdrawal of this account that waits, or has waited. */
async function findWaiting(deps: Deps, accountId: string, id: string): Promise<WithdrawalRow> {
  const withdrawal = isUuid(id) ? await findWithdrawal(deps.db.pool, id) : null;
  if (withdrawal?.accountId !== accountId || !(await findApproval(deps.db.pool, withdrawal.id))) {
    throw new DomainError('transaction_not_found');
  }
  if (withdrawal.subStatus !== 'pending_approval') throw new DomainError('approval_decided');
  return withdrawal;
}

function destinationOf(deps: Deps, withdrawal: WithdrawalRow): Destination {
  const { accountId, type, currency, wallet, memo } = withdrawal;
  if (type === 'pix_out') return pixDestination(deps, accountId, openPixKey(deps, withdrawal));
  if (currency === null || !isCurrencyCode(currency) || wallet === null) {
    throw new Error(`Withdrawal ${withdrawal.id} has no currency or no wallet.`);
  }
  return walletDestination({ wallet, memo, network: CURRENCIES[currency].network });
}

async function quoteAgain(deps: Deps, withdrawal: WithdrawalRow) {
  if (withdrawal.type !== 'crypto_out') return null;
  const { currency, netCentavos, accountId } = withdrawal;
  if (currency === null || !isCurrencyCode(currency)) throw new Error(`Withdrawal ${withdrawal.id} has no currency.`);
  const terms = await withdrawalTerms(deps, accountId);
  const quote = await getQuote(deps, terms, currency, 'out');
  const units = unitsBought(netCentavos, quote.price, CURRENCIES[currency].decimals);
  if (units === 0n) throw belowMinimum(terms, 'crypto_out');
  return { units, quote };
}

function rejectUnlessApproved(outcome: ApproveOutcome): void {
  if (outcome === 'unknown') throw new DomainError('transaction_not_found');
  if (outcome === 'decided') throw new DomainError('approval_decided');
  if (outcome === 'own') throw new DomainError('approval_own');
  if (outcome === 'asker_paused') throw new DomainError('asker_paused');
  if (outcome === 'insufficient_funds') throw new DomainError('insufficient_funds');
}

const aboutOf = ({ id, amountCentavos }: WithdrawalRow) => ({ subject: id, amount: toBrl(amountCentavos) });
