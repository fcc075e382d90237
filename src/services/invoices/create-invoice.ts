import { type AccountTerms, areInForce } from '#db/accounts/account-terms.ts';
import { failInvoice, findInvoice, insertInvoice, type NewInvoice, setInvoiceAddress } from '#db/invoices/invoices.ts';
import { FREE, feeOf } from '#domain/accounts/fees.ts';
import { INVOICE_EXPIRES_IN } from '#domain/charges/expires-in.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { quoteEnd } from '#domain/invoices/invoice-pricing.ts';
import { nextInvoiceCheck } from '#domain/invoices/invoice-settlement.ts';
import { unitsOwed } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { canonicalWallet } from '#domain/withdrawals/wallet-address.ts';
import type { CryptoInvoice, Outcome } from '#rails/ports.ts';
import { checkRange } from '../accounts/check-limits.ts';
import { termsAt } from '../accounts/terms-at.ts';
import { paymentUrl } from '../charges/payment-url.ts';
import { type Customer, sealTexts } from '../charges/seal-texts.ts';
import type { Deps } from '../deps.ts';
import { chooseCurrency } from '../quotes/choose-currency.ts';
import { getQuote } from '../quotes/get-quote.ts';
import { findOpenCryptoRail } from '../rails/open-rails.ts';
import { referenceTaken } from '../transactions/seal-merchant-fields.ts';
import { requireCallable } from '../webhooks/require-callable.ts';
import { invoiceEvent } from './invoice-event.ts';

export type CreateInvoiceInput = {
  /** The id that the invoice gets; a repeated request has the same one. */
  id: string;
  amountCentavos: bigint;
  /** Null: the account's currency. */
  currency: string | null;
  description: string | null;
  callbackUrl: string | null;
  /** How long the quote is held; null: the installation's time, which is also the longest. */
  expiresInSeconds: number | null;
  merchantFields: MerchantFields;
  customer: Customer;
};

export type CreatedInvoice = {
  id: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  currency: string;
  /** What the payer owes, in 10^-8 of a coin. */
  units: bigint;
  /** Until when the invoice can be paid at its quote. */
  expiresAt: Date;
  wallet: string | null;
  memo: string | null;
  /** Our own payment page. */
  pageUrl: string;
};

/**
 * Creates a crypto invoice: written first, with its quote, then asked of the processor under our
 * own number, so that a callback that is early finds it and asking twice is safe.
 *
 * Errors, in this order: invalid_input (callback URL, expiry), unsupported_currency, rail_closed,
 * own_credentials_required, currency_not_configured (none, switched off, or not offered by the
 * processor), below_minimum, above_maximum, quote_unavailable, below_network_minimum,
 * reference_taken (with `transaction_id`), invoice_not_created (the processor rejected it, its
 * outcome is unknown, or the quote of an attempt that is continued is over; it ends as `failed`,
 * and is credited all the same should a payment of it arrive). invoice_not_created also comes
 * before below_network_minimum, with nothing written, where the processor does not state its
 * currencies.
 */
export async function createInvoice(
  deps: Deps,
  account: AccountTerms,
  input: CreateInvoiceInput,
): Promise<CreatedInvoice> {
  const existing = await findInvoice(deps.db.pool, input.id);
  // An attempt that ended half-way continues with the quote that it was written with.
  const invoice = existing ? resume(existing, account.accountId) : await write(deps, account, input);
  const { id, currency, units, amountCentavos, feeCentavos, netCentavos, wallet, memo } = invoice;
  const created = { id, amountCentavos, feeCentavos, netCentavos, currency, units, pageUrl: paymentUrl(deps, id) };
  if (invoice.providerId !== null) return { ...created, wallet, memo, expiresAt: invoice.expiresAt };

  const answer = await askProcessor(deps, invoice);
  if (answer.outcome !== 'done') {
    const { reason } = answer;
    deps.log.warn({ transactionId: id, outcome: answer.outcome, reason }, 'The processor did not create an invoice.');
    const now = deps.clock();
    const row = await findInvoice(deps.db.pool, id);
    if (row?.status === 'pending') {
      await failInvoice(deps.db.pool, {
        id,
        now,
        ...invoiceEvent(deps, row, { status: 'failed', event: 'failed', now }),
      });
    }
    throw new DomainError('invoice_not_created');
  }
  const { providerId, confirmationsNeeded, pageUrl: providerUrl } = answer.value;
  const expiresAt = quoteEnd(invoice.expiresAt, answer.value.expiresAt);
  const address = { wallet: canonicalWallet(answer.value.wallet, currency), memo: answer.value.memo };
  await setInvoiceAddress(deps.db.pool, id, { providerId, providerUrl, ...address, confirmationsNeeded, expiresAt });
  return { ...created, ...address, expiresAt };
}

/**
 * Asks for what is left of the invoice's time: an attempt that ended half-way may be continued much
 * later, and its quote is not held for longer than the first one said.
 */
async function askProcessor(deps: Deps, invoice: Written): Promise<Outcome<CryptoInvoice>> {
  const { id, currency, units, rail: name, expiresAt } = invoice;
  const rail = await deps.rails.cryptoNamed(name);
  if (!rail) return { outcome: 'unknown', reason: `no rail named ${name}` };
  const leftMs = expiresAt.getTime() - deps.clock().getTime();
  if (leftMs <= 0) return { outcome: 'rejected', reason: 'the time of the quote is over' };
  return rail.createInvoice({
    orderNumber: id,
    currency: chooseCurrency({ currency: null }, currency, 'currency_not_configured'),
    units,
    title: id,
    expiresInSeconds: Math.ceil(leftMs / 1000),
    callbackUrl: deps.settings.cryptoCallbackUrl(name),
  });
}

type Written = Pick<
  NewInvoice,
  'id' | 'amountCentavos' | 'feeCentavos' | 'netCentavos' | 'currency' | 'units' | 'rail' | 'createdAt' | 'expiresAt'
> & {
  providerId: string | null;
  wallet: string | null;
  memo: string | null;
};

function resume(row: Written & { accountId: string; status: string }, accountId: string): Written {
  if (row.accountId !== accountId) throw new Error(`Invoice ${row.id} is not of account ${accountId}.`);
  if (row.status === 'failed') throw new DomainError('invoice_not_created');
  return row;
}

const unusableCurrency = (why: 'no_currency_active' | 'currency_not_active') =>
  new DomainError('currency_not_configured', { details: [fieldIssue('currency', why)] });

async function write(deps: Deps, account: AccountTerms, input: CreateInvoiceInput): Promise<Written> {
  const { id, amountCentavos, callbackUrl } = input;
  if (callbackUrl !== null) await requireCallable(deps, account.mode, callbackUrl, 'callbackUrl');
  const expiresInSeconds = expiryOf(deps, input);
  const currency = chooseCurrency(account, input.currency, 'currency_not_configured');
  const rail = await findOpenCryptoRail(deps, account, 'crypto_in');
  if (!rail) throw unusableCurrency('no_currency_active');
  checkRange(account, 'crypto_in', amountCentavos);

  const quote = await getQuote(deps, account, currency, 'in');
  const units = unitsOwed(amountCentavos, quote.price, CURRENCIES[currency].decimals);
  const info = await deps.rails.currenciesOf(rail).find(currency);
  if (info.outcome !== 'done') {
    deps.log.warn({ currency, reason: info.reason }, 'The processor does not say what its currencies are.');
    throw new DomainError('invoice_not_created');
  }
  if (!info.value?.active) throw unusableCurrency('currency_not_active');
  if (units < info.value.minimumUnits) throw new DomainError('below_network_minimum');

  const fee = account.fees.crypto_in ?? FREE;
  const feeCentavos = feeOf(amountCentavos, fee);
  const now = deps.clock();
  // Other terms have taken effect since the quote and the fee were computed.
  if (!areInForce(account, now)) return write(deps, await termsAt(deps, account, now), input);
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000);
  const invoice = {
    id,
    accountId: account.accountId,
    amountCentavos,
    feeCentavos,
    netCentavos: amountCentavos - feeCentavos,
    ...sealTexts(deps, account.accountId, input),
    callbackUrl,
    currency,
    units,
    quote,
    fee,
    toleranceBps: account.toleranceBps,
    rail: rail.name,
    createdAt: now,
    expiresAt,
    checkAt: nextInvoiceCheck({ createdAt: now, expiresAt, open: true }, now) ?? expiresAt,
  };
  const outcome = await insertInvoice(deps.db.pool, invoice);
  const written = outcome === 'exists' ? await findInvoice(deps.db.pool, id) : null;
  // Another attempt has written it meanwhile, with its own quote.
  if (written) return resume(written, account.accountId);
  if (outcome === 'reference_taken') throw await referenceTaken(deps, account.accountId, id, invoice.merchant);
  return { ...invoice, providerId: null, wallet: null, memo: null };
}

/** For how long the quote is held. Throws invalid_input where that exceeds the installation's. */
function expiryOf({ settings }: Deps, { expiresInSeconds }: CreateInvoiceInput): number {
  const { min } = INVOICE_EXPIRES_IN;
  const max = settings.invoiceExpirySeconds;
  if (expiresInSeconds === null) return max;
  if (expiresInSeconds <= max) return expiresInSeconds;
  throw invalidField(fieldIssue('expiresIn', 'not_integer', { min, max }));
}
