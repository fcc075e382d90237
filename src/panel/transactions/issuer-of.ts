import { maskDocument } from '#domain/encryption/masked.ts';
import type { DocumentType } from '#domain/values/documents.ts';

/** The business that issues a receipt or an evidence pack, its document as it may be shown. */
export type Issuer = { name: string; document: string };

/** A person's CPF is masked, a CNPJ is public: `12.345.678/0001-95`, letters included. */
export const issuerOf = (account: { name: string; document: string; document_type: DocumentType }): Issuer => ({
  name: account.name,
  document:
    account.document_type === 'cpf'
      ? maskDocument(account.document)
      : account.document.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'),
});
