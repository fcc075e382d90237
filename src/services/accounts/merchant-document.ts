import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

/** A merchant's CPF or CNPJ, as it is kept. */
export const sealMerchantDocument = ({ secretBox }: Pick<Deps, 'secretBox'>, merchantId: string, document: string) =>
  secretBox.seal(document, sealContext('merchants.document', { id: merchantId }));

/** What holds a merchant's CPF or CNPJ, with it readable. */
export const openMerchantDocument = <T extends { document: string }>(
  { secretBox }: Pick<Deps, 'secretBox'>,
  merchantId: string,
  merchant: T,
): T => ({
  ...merchant,
  document: secretBox.open(merchant.document, sealContext('merchants.document', { id: merchantId })),
});
