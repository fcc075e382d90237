import type { NewCharge } from '#db/charges/charges.ts';
import { CUSTOMER_DOCUMENT_INDEX } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import type { Deps } from '../deps.ts';
import { sealMerchantFields } from '../transactions/seal-merchant-fields.ts';

/** Who pays a charge or an invoice, as far as the merchant says; null: not said. */
export type Customer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  document: string | null;
  documentType: 'cpf' | 'cnpj' | null;
};

export const NO_CUSTOMER: Customer = { name: null, email: null, phone: null, document: null, documentType: null };

/** Seals the texts of a charge or an invoice, and computes what a search finds it by. */
export function sealTexts(
  deps: Pick<Deps, 'secretBox'>,
  accountId: string,
  { id, description, customer, merchantFields }: SealedTexts,
): Pick<NewCharge, 'description' | 'customer' | 'merchant' | 'searchTokens'> {
  const { secretBox } = deps;
  const { name, email, phone, document, documentType } = customer;
  const { reference, metadata } = merchantFields;
  return {
    description: sealTransactionText(secretBox, id, 'description', description),
    customer: {
      name: sealTransactionText(secretBox, id, 'customerName', name),
      email: sealTransactionText(secretBox, id, 'customerEmail', email),
      phone: sealTransactionText(secretBox, id, 'customerPhone', phone),
      document: sealTransactionText(secretBox, id, 'customerDocument', document),
      documentIndex: document ? secretBox.fingerprint(document, CUSTOMER_DOCUMENT_INDEX) : null,
      documentType,
    },
    merchant: sealMerchantFields(deps, accountId, 'transactions', { id, ...merchantFields }),
    searchTokens: searchTokens(secretBox, accountId, {
      words: [description, name, email, reference],
      phone,
      metadata,
    }),
  };
}

type SealedTexts = { id: string; description: string | null; customer: Customer; merchantFields: MerchantFields };
