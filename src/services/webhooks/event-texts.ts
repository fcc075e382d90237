import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { maskDocument, shortenName } from '#domain/encryption/masked.ts';
import type { EventDeps } from './seal-event-body.ts';

type Texts = { id: string; description: string | null };
type CustomerTexts = Texts & {
  customerName: string | null;
  customerDocument: string | null;
  customerDocumentType: 'cpf' | 'cnpj' | null;
};

/** What an event says a transaction is for, by the name of the wire; `row` has it sealed. */
export const eventDescription = ({ secretBox }: EventDeps, { id, description }: Texts) => ({
  description: openTransaction(secretBox, { id, description }).description,
});

/**
 * What an event says of what a charge or an invoice is for and of who pays it, as far as the
 * merchant has said it. The name and the document are masked: receivers log what they get.
 */
export function eventTexts({ secretBox }: EventDeps, row: CustomerTexts) {
  const { id, description, customerName, customerDocument, customerDocumentType } = row;
  const opened = openTransaction(secretBox, { id, description, customerName, customerDocument });
  const name = opened.customerName && shortenName(opened.customerName);
  const document = opened.customerDocument && maskDocument(opened.customerDocument);
  return {
    description: opened.description,
    payer: name || document ? { name, document, document_type: customerDocumentType } : null,
  };
}
