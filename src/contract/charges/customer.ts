import { z } from 'zod';
import { type FieldIssue, type Issue, issueOf } from '#domain/errors/issues.ts';
import { type DocumentType, parseDocument } from '#domain/values/documents.ts';
import { type AsSent, asSent, encodeAsSent, optional, parsed, reject } from '../codecs.ts';
import { emailAsSent, filledTextInput, phoneAsSent, textInput } from '../fields.ts';
import { choiceOf, issue, messageOf } from '../issues/issue-message.ts';
import { DOCUMENT_LENGTH_MAX, NAME_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';

const TYPES = choiceOf(['cpf', 'cnpj']);
/** Accepted in any case, documented in lower case. */
const typeText = named('DocumentType', z.string({ error: issue('not_one_of', TYPES) }).meta({ enum: ['cpf', 'cnpj'] }));

/** The type of a tax document, in any case. */
export const documentTypeInput = parsed(typeText, documentType, String, 'not_one_of', TYPES);
const documentTypeAsSent = parsed(typeText, asSent(documentType), encodeAsSent, 'not_one_of', TYPES);

/**
 * The fields of the payer in a charge and an invoice, all of them optional. `readCustomer` combines
 * them.
 */
export const CUSTOMER_FIELDS = {
  customerName: optional(filledTextInput(NAME_LENGTH_MAX)).describe('Nome do pagador.'),
  customerEmail: optional(emailAsSent).describe('E-mail do pagador.'),
  customerDocument: optional(textInput(DOCUMENT_LENGTH_MAX)).describe(
    'CPF ou CNPJ do pagador, com ou sem pontuação; o CNPJ pode ser alfanumérico.',
  ),
  customerDocumentType: optional(documentTypeAsSent).describe('cpf ou cnpj; obrigatório com customerDocument.'),
  customerPhone: optional(phoneAsSent).describe('Telefone do pagador, com DDD.'),
};

type CustomerFields = {
  customerName: string | null;
  customerEmail: AsSent<string> | null;
  customerDocument: string | null;
  customerDocumentType: AsSent<DocumentType> | null;
  customerPhone: AsSent<string> | null;
};

/**
 * A check of the whole input: a document and its type belong together. Zod runs it also when other
 * fields were rejected, so that all issues are reported at once.
 */
export function checkCustomerDocument({ value, issues }: z.core.ParsePayload<CustomerFields>): void {
  const { customerDocument: document, customerDocumentType: type } = value;
  // A rejected field still holds what was sent, so of a rejected type only its presence is known.
  const typeIsKnown = issues.every(({ path }) => path?.[0] !== 'customerDocumentType');
  const found = typeIsKnown ? readDocument(document, type?.value ?? null) : document === null && NO_DOCUMENT;
  if (!found || !('issue' in found)) return;
  issues.push({ code: 'custom', message: messageOf(found), path: [found.field], input: value[found.field] });
}

/** The customer as services take one, and `sentCustomer`, which an answer echoes as it was sent. */
export function readCustomer(fields: CustomerFields, payload: z.core.ParsePayload) {
  const { customerName: name, customerEmail: email, customerPhone: phone, customerDocumentType: type } = fields;
  const document = readDocument(fields.customerDocument, type?.value ?? null);
  if ('issue' in document) return reject(payload, messageOf(document));
  return {
    customer: { name, email: email?.value ?? null, phone: phone?.value ?? null, ...document },
    sentCustomer: {
      name,
      email: email?.sent ?? null,
      document: fields.customerDocument,
      document_type: type?.sent ?? null,
      phone: phone?.sent ?? null,
    },
  };
}

type DocumentField = 'customerDocument' | 'customerDocumentType';
type DocumentIssue = FieldIssue & { field: DocumentField };
type Document = { document: string; documentType: DocumentType } | { document: null; documentType: null };

const wrong = (field: DocumentField, found: Issue): DocumentIssue => ({ field, ...found });
const NO_TYPE = wrong('customerDocumentType', issueOf('required_with', { field: 'customerDocument' }));
const NO_DOCUMENT = wrong('customerDocument', issueOf('required_with', { field: 'customerDocumentType' }));

function readDocument(text: string | null, documentType: DocumentType | null): Document | DocumentIssue {
  if (documentType === null) return text === null ? { document: null, documentType } : NO_TYPE;
  if (text === null) return NO_DOCUMENT;
  const document = parseDocument(text, documentType);
  if (document !== null) return { document, documentType };
  return wrong('customerDocument', issueOf('not_document', { type: documentType.toUpperCase() }));
}

/** `cpf` or `cnpj`, written in any case. */
function documentType(text: string): DocumentType | null {
  const lower = text.toLowerCase();
  return lower === 'cpf' || lower === 'cnpj' ? lower : null;
}
