import { type Issue, issueOf } from '#domain/errors/issues.ts';
import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { documentTypeOf } from '#domain/values/documents.ts';

const CPF_LENGTH = 11;

/** What is typed, as it is typed; a PIX charge has no currency. */
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
  /** One of `EXPIRIES`, of a PIX charge; empty: as long as the installation says. */
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
 * For how many seconds a charge can be paid, where somebody chooses: from a quarter of an hour, at
 * a counter, to 30 days.
 */
export const EXPIRIES = [900, 3_600, 86_400, 259_200, 604_800, 2_592_000] as const;

/** The REST contract's names of the fields, by ours. */
export const CHARGE_FIELDS: Record<string, keyof ChargeDraft> = {
  customerName: 'name',
  customerEmail: 'email',
  customerDocument: 'document',
  customerDocumentType: 'document',
  customerPhone: 'phone',
};

/** What the form asks for besides: the API takes the account's currency where none is sent. */
export const chargeIssues = ({ kind, currency }: ChargeDraft): Record<string, Issue> =>
  kind === 'crypto' && !isCurrencyCode(currency) ? { currency: issueOf('missing') } : {};

/** What both REST operations take; what was left empty is not sent. */
export function chargeOf<Amount extends number | null>(draft: ChargeDraft, amount: Amount) {
  const { kind, description, name, email, document, phone, reference, expiresIn } = draft;
  // What a tab kept from before an upgrade lacks what came with it.
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

/** What a number that is neither was to be, by its length. */
const likelyType = (document: string) => (document.replace(/[^0-9a-z]/gi, '').length > CPF_LENGTH ? 'cnpj' : 'cpf');
