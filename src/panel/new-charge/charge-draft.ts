import { type Issue, issueOf } from '#domain/errors/issues.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { documentTypeOf } from '#domain/values/documents.ts';

const CPF_LENGTH = 11;

/** The fields of the form as they are typed; a PIX charge has no currency. */
export type ChargeDraft = {
  kind: 'pix' | 'crypto';
  amount: string;
  description: string;
  name: string;
  email: string;
  document: string;
  phone: string;
  currency: string;
  reference: string;
  /** One of `EXPIRIES` (seconds), for a PIX charge; empty: the installation's default. */
  expiresIn: string;
};

export const EMPTY_CHARGE: ChargeDraft = {
  kind: 'pix',
  amount: '',
  description: '',
  name: '',
  email: '',
  document: '',
  phone: '',
  currency: '',
  reference: '',
  expiresIn: '',
};

/**
 * The choices of how many seconds a charge can be paid: from a quarter of an hour, at a counter, to
 * 30 days.
 */
export const EXPIRIES = [900, 3_600, 86_400, 259_200, 604_800, 2_592_000] as const;

/** The form's fields by their names in the REST contract. */
export const CHARGE_FIELDS: Record<string, keyof ChargeDraft> = {
  customerName: 'name',
  customerEmail: 'email',
  customerDocument: 'document',
  customerDocumentType: 'document',
  customerPhone: 'phone',
};

/** What only the form requires: the API takes the account's currency where none is sent. */
export const chargeIssues = ({ kind, currency }: ChargeDraft): Record<string, Issue> =>
  kind === 'crypto' && !isCurrencyCode(currency) ? { currency: issueOf('missing') } : {};

/** Returns the input of both REST operations; an empty field is null. */
export function chargeOf<Amount extends number | null>(draft: ChargeDraft, amount: Amount) {
  const { kind, description, name, email, document, phone, reference, expiresIn } = draft;
  // A draft that was kept before an upgrade lacks the fields that came with it.
  const text = (typed = '') => typed.trim() || null;
  return {
    amount,
    description: text(description),
    customerName: text(name),
    customerEmail: text(email),
    customerDocument: text(document),
    customerDocumentType: text(document) && (documentTypeOf(document) ?? likelyType(document)),
    customerPhone: text(phone),
    reference: text(reference),
    ...(kind === 'pix' && { expiresIn: expiresIn ? Number(expiresIn) : null }),
  };
}

/** The type that an invalid number was probably meant to have, by its length. */
const likelyType = (document: string) => (document.replace(/[^0-9a-z]/gi, '').length > CPF_LENGTH ? 'cnpj' : 'cpf');
