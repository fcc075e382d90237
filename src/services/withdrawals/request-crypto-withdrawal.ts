import { areInForce } from '#db/accounts/account-terms.ts';
import { isDepositAddress } from '#db/invoices/invoices.ts';
import { findWithdrawal, requestWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { unitsBought } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import type { WithdrawalSubStatus } from '#domain/withdrawals/approvals.ts';
import { parseMemo, parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { belowMinimum, checkRange } from '../accounts/check-limits.ts';
import type { ActingPrincipal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { walletDestination } from '../payees/destination.ts';
import { rejectUnlessPayee } from '../payees/reject-unless-payee.ts';
import { chooseCurrency, readCurrency } from '../quotes/choose-currency.ts';
import { getQuote } from '../quotes/get-quote.ts';
import { findOpenCryptoRail } from '../rails/open-rails.ts';
import { sealMerchantFields } from '../transactions/seal-merchant-fields.ts';
import { askerOf, rejectMoneyOut } from './reject-money-out.ts';
import { rejectUnlessRequested, requestedEntry, subStatusOf } from './request-pix-withdrawal.ts';
import { limitPeriods, withdrawalTerms } from './withdrawal-terms.ts';

export type CryptoWithdrawalInput = {
  /** The id of the new withdrawal; a repeated request has the same one again. */
  id: string;
  amountCentavos: bigint;
  wallet: string;
  memo: string | null;
  /** A code; null: the account's currency. */
  currency: string | null;
  merchantFields: MerchantFields;
};

export type RequestedCryptoWithdrawal = {
  id: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  units: bigint;
  currency: string;
  wallet: string;
  status: string;
  /** Whether it waits for a second person; `units` is computed again when it is approved. */
  subStatus: WithdrawalSubStatus | null;
};

/**
 * Requests that crypto be sent: the fee is taken out of the amount, and the rest is bought at the
 * quote, rounded down to what the network can express, eight decimals at most. The whole amount is
 * held from now on. The worker sends it; above the account's threshold, only after a second person
 * has approved it. Requesting it twice with one id requests it once.
 *
 * Errors, in this order: unsupported_currency, invalid_wallet, invalid_memo (checked where the
 * currency is known), account_suspended, kyc_not_approved, own_deposit_address, rail_closed,
 * own_credentials_required, rail_not_configured (also without any currency), invalid_memo (the
 * provider can't send one), below_minimum, above_maximum, quote_unavailable, reference_taken (with
 * `transaction_id`), withdrawals_paused, not_a_payee, payee_waits (with `usable_from`),
 * daily_limit_reached, insufficient_funds. The last six, and account_suspended and kyc_not_approved
 * once more, are decided by the statement that holds the money.
 */
export async function requestCryptoWithdrawal(
  deps: Deps,
  account: ActingPrincipal,
  input: CryptoWithdrawalInput,
): Promise<RequestedCryptoWithdrawal> {
  const { id, amountCentavos } = input;
  const before = await findWithdrawal(deps.db.pool, id);
  if (before) return present(before, account.accountId);

  const likely = input.currency === null ? account.currency : readCurrency(input.currency);
  if (likely !== null && isCurrencyCode(likely)) readDestination(input, likely);

  const terms = await withdrawalTerms(deps, account.accountId);
  const currency = chooseCurrency(terms, input.currency, 'rail_not_configured');
  const wallet = readDestination(input, currency);
  const destination = walletDestination({ ...wallet, network: CURRENCIES[currency].network });
  // It would return as a late payment of an invoice, at another price each time.
  if (await isDepositAddress(deps.db.pool, { ...wallet, spellings: destination.wallets, mode: terms.mode })) {
    throw new DomainError('own_deposit_address');
  }
  const rail = await findOpenCryptoRail(deps, terms, 'crypto_out');
  if (!rail) throw new DomainError('rail_not_configured');
  if (wallet.memo !== null && !rail.sendsMemos) throw new DomainError('invalid_memo');
  checkRange(terms, 'crypto_out', amountCentavos);

  const quote = await getQuote(deps, terms, currency, 'out');
  const feeCentavos = terms.fees.crypto_out ? feeOf(amountCentavos, terms.fees.crypto_out) : 0n;
  const netCentavos = amountCentavos - feeCentavos;
  const units = unitsBought(netCentavos, quote.price, CURRENCIES[currency].decimals);
  // A fee as large as the amount leaves nothing to send.
  if (units === 0n) throw belowMinimum(terms, 'crypto_out');

  const now = deps.clock();
  // The terms of this computation are no longer in force.
  if (!areInForce(terms, now)) return requestCryptoWithdrawal(deps, account, input);
  const { reference, metadata } = input.merchantFields;
  const withdrawal = {
    id,
    accountId: account.accountId,
    type: 'crypto_out' as const,
    amountCentavos,
    feeCentavos,
    netCentavos,
    description: null,
    merchant: sealMerchantFields(deps, account.accountId, 'transactions', { id, ...input.merchantFields }),
    searchTokens: searchTokens(deps.secretBox, account.accountId, { words: [reference], phone: null, metadata }),
    rail: rail.name,
    crypto: { currency, units, ...wallet, quote },
    destination,
    now,
  };
  const by = askerOf(account.actor);
  const outcome = await requestWithdrawal(
    deps.db.pool,
    withdrawal,
    limitPeriods(now),
    by,
    requestedEntry(deps, account, input),
  );
  await rejectMoneyOut(deps, outcome, { accountId: account.accountId, by, now });
  await rejectUnlessPayee(deps, outcome, account.accountId, destination);
  await rejectUnlessRequested(deps, outcome, withdrawal);
  if (outcome === 'exists') return requestCryptoWithdrawal(deps, account, input);
  deps.wakeWorkers();
  return {
    id,
    amountCentavos,
    feeCentavos,
    netCentavos,
    units,
    currency,
    wallet: wallet.wallet,
    status: 'pending',
    subStatus: subStatusOf(outcome),
  };
}

/** The wallet in its canonical form, and the memo. Errors: invalid_wallet, invalid_memo. */
function readDestination(
  input: CryptoWithdrawalInput,
  currency: CurrencyCode,
): { wallet: string; memo: string | null } {
  const wallet = parseWallet(input.wallet, currency);
  if (wallet === null) throw new DomainError('invalid_wallet');
  const memo = input.memo === null ? null : parseMemo(input.memo, currency);
  if (input.memo !== null && memo === null) throw new DomainError('invalid_memo');
  return { wallet, memo };
}

function present(row: NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>, accountId: string) {
  const { id, amountCentavos, feeCentavos, netCentavos, units, currency, wallet, subStatus } = row;
  if (row.accountId !== accountId || units === null || currency === null || wallet === null) {
    throw new Error(`Withdrawal ${id} is not a crypto withdrawal of account ${accountId}.`);
  }
  // The same response as to the first request; the status query has the current status.
  return { id, amountCentavos, feeCentavos, netCentavos, units, currency, wallet, status: 'pending', subStatus };
}
