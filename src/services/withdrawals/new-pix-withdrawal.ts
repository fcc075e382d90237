import { type AccountTerms, areInForce } from '#db/accounts/account-terms.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import type { NewWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import type { PixRail } from '#rails/ports.ts';
import { checkRange } from '../accounts/check-limits.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { findOpenPixRail } from '../rails/open-rails.ts';
import { sealMerchantFields } from '../transactions/seal-merchant-fields.ts';
import { withdrawalTerms } from './withdrawal-terms.ts';

export type PixWithdrawalInput = {
  /** The id of the new withdrawal; a repeated request has the same one again. */
  id: string;
  amountCentavos: bigint;
  /** Normalised. */
  pixKey: string;
  pixKeyType: PixKeyType;
  description: string | null;
  merchantFields: MerchantFields;
};

/**
 * The terms of an account, and the rail by which it sends PIX now. Errors, in this order:
 * account_suspended, kyc_not_approved, rail_closed, own_credentials_required, rail_not_configured.
 */
export async function openPixRail(deps: Deps, accountId: string): Promise<{ terms: AccountTerms; rail: PixRail }> {
  const terms = await withdrawalTerms(deps, accountId);
  const rail = await findOpenPixRail(deps, terms, 'pix_out');
  if (!rail?.payouts) throw new DomainError('rail_not_configured');
  return { terms, rail };
}

/**
 * The rail by which an account sends PIX now, the fee for this amount in centavos, and the instant
 * at which they are in force. Errors: those of `openPixRail`, then below_minimum, above_maximum.
 */
export async function pixWithdrawalTerms(
  deps: Deps,
  accountId: string,
  amountCentavos: bigint,
): Promise<{ rail: PixRail; feeCentavos: bigint; now: Date }> {
  const { terms, rail } = await openPixRail(deps, accountId);
  checkRange(terms, 'pix_out', amountCentavos);
  const now = deps.clock();
  // The terms that were read are no longer in force.
  if (!areInForce(terms, now)) return pixWithdrawalTerms(deps, accountId, amountCentavos);
  return { rail, feeCentavos: terms.fees.pix_out ? feeOf(amountCentavos, terms.fees.pix_out) : 0n, now };
}

/**
 * Makes a PIX withdrawal for the database: the fee comes on top of the amount, and the texts are
 * sealed.
 */
export function newPixWithdrawal(
  deps: Pick<Deps, 'secretBox'>,
  { id, amountCentavos, pixKey, pixKeyType, description, merchantFields }: PixWithdrawalInput,
  terms: { accountId: string; rail: string; feeCentavos: bigint; now: Date },
): NewWithdrawal & { type: 'pix_out' } {
  const { secretBox } = deps;
  const { accountId } = terms;
  const { reference, metadata } = merchantFields;
  const destination = pixDestination(deps, accountId, pixKey);
  return {
    ...terms,
    id,
    type: 'pix_out',
    amountCentavos,
    netCentavos: amountCentavos,
    destination,
    description: sealTransactionText(secretBox, id, 'description', description),
    merchant: sealMerchantFields(deps, accountId, 'transactions', { id, ...merchantFields }),
    searchTokens: searchTokens(secretBox, accountId, { words: [description, reference], phone: null, metadata }),
    pixKey: {
      // A PIX key may be a CPF, a phone or an e-mail, so it is stored sealed.
      sealed: secretBox.seal(pixKey, sealContext('transactions.pix_key', { id })),
      index: destination.pixKeyIndexes[0],
      type: pixKeyType,
    },
  };
}
