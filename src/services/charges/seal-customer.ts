import type { NewCharge } from '#db/charges/charges.ts';
import { CUSTOMER_DOCUMENT_INDEX } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import type { Deps } from '../deps.ts';

/** Who pays a charge or an invoice, as far as the merchant says. */
export type Customer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  document: string | null;
  documentType: 'cpf' | 'cnpj' | null;
};

export const NO_CUSTOMER: Customer = { name: null, email: null, phone: null, document: null, documentType: null };

/** What says who pays and what for, as it is kept, and what it is found by. */
export function sealCustomer(
  { secretBox }: Pick<Deps, 'secretBox'>,
  accountId: string,
  { id, description, customer }: { id: string; description: string | null; customer: Customer },
): Pick<NewCharge, 'description' | 'customer' | 'searchTokens'> {
  const { name, email, phone, document, documentType } = customer;
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
    searchTokens: searchTokens(secretBox, accountId, { words: [description, name, email], phone }),
  };
}
