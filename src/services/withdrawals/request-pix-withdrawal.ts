import { areInForce } from '#db/accounts/account-terms.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import { findWithdrawal, type RequestOutcome, requestWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import type { WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { checkRange } from '../accounts/check-limits.ts';
import type { MoneyOutPrincipal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { rejectUnlessPayee } from '../payees/reject-unless-payee.ts';
import { requireOwnCredentials } from '../providers/require-own-credentials.ts';
import { checkRail } from '../rails/check-rail.ts';
import { askerOf, rejectMoneyOut } from './reject-money-out.ts';
import { limitPeriods, withdrawalTerms } from './withdrawal-terms.ts';

export type PixWithdrawalInput = {
  /** The id it will have; a request that is repeated brings the same one again. */
  id: string;
  amountCentavos: bigint;
  /** Normalised. */
  pixKey: string;
  pixKeyType: PixKeyType;
  description: string | null;
};

export type RequestedPixWithdrawal = {
  id: string;
  feeCentavos: bigint;
  amountCentavos: bigint;
  createdAt: Date;
  /** Whether it waits for a second person. */
  subStatus: WithdrawalSubStatus | null;
};

/**
 * Asks for a PIX to be sent: the receiver gets exactly the amount, the fee comes on top, both are
 * held from now on. It is sent by the worker, above the account's threshold once a second person
 * has approved it. Requesting it twice with one id requests it once.
 *
 * Errors, in this order: account_suspended, kyc_not_approved, rail_closed,
 * own_credentials_required, rail_not_configured, below_minimum, above_maximum, withdrawals_paused,
 * not_a_payee, payee_waits (with `usable_from`), daily_limit_reached, night_limit_reached,
 * insufficient_funds. The last six, and the first two once more, are decided by the statement that
 * holds the money.
 */
export async function requestPixWithdrawal(
  deps: Deps,
  principal: Pick<MoneyOutPrincipal, 'accountId' | 'actor'>,
  input: PixWithdrawalInput,
): Promise<RequestedPixWithdrawal> {
  const { accountId, actor } = principal;
  const terms = await withdrawalTerms(deps, accountId);
  checkRail(terms, 'pix_out');
  requireOwnCredentials(deps, terms, 'api_pix');
  const rail = terms.inactiveRails.includes('pix_out')
    ? null
    : await deps.rails.pixFor({ mode: terms.mode, credentialId: terms.credentials.api_pix ?? null });
  if (!rail?.payouts) throw new DomainError('rail_not_configured');
  checkRange(terms, 'pix_out', input.amountCentavos);

  const { id, amountCentavos } = input;
  const feeCentavos = terms.fees.pix_out ? feeOf(amountCentavos, terms.fees.pix_out) : 0n;
  const now = deps.clock();
  // Other terms than those that it was reckoned with have taken effect.
  if (!areInForce(terms, now)) return requestPixWithdrawal(deps, principal, input);
  const by = askerOf(actor);
  const destination = pixDestination(deps, accountId, input.pixKey);
  const outcome = await requestWithdrawal(
    deps.db.pool,
    {
      id,
      accountId,
      type: 'pix_out',
      amountCentavos,
      feeCentavos,
      netCentavos: amountCentavos,
      description: sealTransactionText(deps.secretBox, id, 'description', input.description),
      searchTokens: searchTokens(deps.secretBox, accountId, { words: [input.description], phone: null }),
      rail: rail.name,
      pixKey: {
        sealed: sealPixKey(deps, id, input.pixKey),
        index: destination.pixKeyIndexes[0],
        type: input.pixKeyType,
      },
      destination,
      now,
    },
    limitPeriods(now),
    by,
  );
  await rejectMoneyOut(deps, outcome, { accountId, by, now });
  await rejectUnlessPayee(deps, outcome, accountId, destination);
  rejectUnlessRequested(outcome);
  if (outcome === 'exists') return findOwn(deps, accountId, id);
  deps.wakeWorkers();
  return { id, amountCentavos, feeCentavos, createdAt: now, subStatus: subStatusOf(outcome) };
}

/** A PIX key may be a CPF, a phone or an e-mail: it is kept sealed. */
const sealPixKey = (deps: Pick<Deps, 'secretBox'>, id: string, key: string) =>
  deps.secretBox.seal(key, sealContext('transactions.pix_key', { id }));
export const openPixKey = (deps: Pick<Deps, 'secretBox'>, withdrawal: { id: string; pixKey: string | null }): string =>
  withdrawal.pixKey === null
    ? ''
    : deps.secretBox.open(withdrawal.pixKey, sealContext('transactions.pix_key', { id: withdrawal.id }));

const REJECTIONS: Partial<Record<RequestOutcome, ErrorCode>> = {
  daily_limit: 'daily_limit_reached',
  night_limit: 'night_limit_reached',
  insufficient_funds: 'insufficient_funds',
};

/** What the ledger rejected, as the error it is. */
export function rejectUnlessRequested(outcome: RequestOutcome): void {
  const code = REJECTIONS[outcome];
  if (code) throw new DomainError(code);
}

export const subStatusOf = (outcome: RequestOutcome): WithdrawalSubStatus | null =>
  outcome === 'pending_approval' ? outcome : null;

/**
 * The request of this id that was made before. An id that is another account's never gets here: ids
 * are made by us.
 */
async function findOwn(deps: Deps, accountId: string, id: string): Promise<RequestedPixWithdrawal> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (withdrawal?.accountId !== accountId) throw new Error(`Withdrawal ${id} is not of account ${accountId}.`);
  return withdrawal;
}
