import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

/** Seals a merchant's CPF or CNPJ for the database. */
export const sealMerchantDocument = ({ secretBox }: Pick<Deps, 'secretBox'>, merchantId: string, document: string) =>
  secretBox.seal(document, sealContext('merchants.document', { id: merchantId }));

/** A copy of `merchant` with its sealed CPF or CNPJ opened. */
export const openMerchantDocument = <T extends { document: string }>(
  { secretBox }: Pick<Deps, 'secretBox'>,
  merchantId: string,
  merchant: T,
): T => ({
  ...merchant,
  document: secretBox.open(merchant.document, sealContext('merchants.document', { id: merchantId })),
});
