import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { maskDocument, shortenName } from '#domain/encryption/masked.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import type { EventDeps } from './seal-event-body.ts';

type AskedTexts = { id: string; description: string | null; reference: string | null; metadata: string | null };
type CustomerTexts = AskedTexts & {
  customerName: string | null;
  customerDocument: string | null;
  customerDocumentType: 'cpf' | 'cnpj' | null;
};

/** The texts of a merchant about a transaction, for its events; `row` has them sealed. */
export function askedTexts({ secretBox }: EventDeps, row: AskedTexts) {
  const { id, description, reference, metadata } = row;
  const opened = openTransaction(secretBox, { id, description, reference, metadata });
  return {
    description: opened.description,
    reference: opened.reference,
    metadata: readMetadata(opened.metadata),
  };
}

/**
 * The same of a charge or an invoice, with its payer: null when the merchant named none. The name
 * and the document are masked, because receivers log what they get.
 */
export function eventTexts(deps: EventDeps, row: CustomerTexts) {
  const { id, customerName, customerDocument, customerDocumentType } = row;
  const opened = openTransaction(deps.secretBox, { id, customerName, customerDocument });
  const name = opened.customerName && shortenName(opened.customerName);
  const document = opened.customerDocument && maskDocument(opened.customerDocument);
  return {
    ...askedTexts(deps, row),
    payer: name || document ? { name, document, document_type: customerDocumentType } : null,
  };
}
