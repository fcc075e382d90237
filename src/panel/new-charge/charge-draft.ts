import { isCurrencyCode } from '#domain/quotes/currencies.ts';
import { parseEmail, parsePhone } from '#domain/values/contact.ts';
import { documentTypeOf } from '#domain/values/documents.ts';
import type { Language } from '#domain/values/language.ts';
import { reaisOfText } from '#panel/money/reais-of-text.ts';

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
};

export type ChargeFault = 'amount' | 'email' | 'document' | 'phone' | 'currency';

/** What has to be mended before it can be created, by field, in the order of the form; empty: nothing. */
export function chargeFaults(draft: ChargeDraft, language: Language): Partial<Record<keyof ChargeDraft, ChargeFault>> {
  const { kind, amount, email, document, phone, currency } = draft;
  const noAmount = reaisOfText(amount, language) === null && ({ amount: 'amount' } as const);
  const isWrong = (text: string, parse: (text: string) => unknown) => text.trim() !== '' && parse(text.trim()) === null;
  return {
    ...(kind === 'crypto' && !isCurrencyCode(currency) && { currency: 'currency' as const }),
    ...noAmount,
    ...(isWrong(email, parseEmail) && { email: 'email' }),
    ...(isWrong(document, documentTypeOf) && { document: 'document' }),
    ...(isWrong(phone, parsePhone) && { phone: 'phone' }),
  };
}

/** What both REST operations take; what was left empty is not sent. Only for a draft without faults. */
export function chargeOf(draft: ChargeDraft, amount: number) {
  const { description, name, email, document, phone } = draft;
  const text = (typed: string) => typed.trim() || null;
  return {
    amount,
    description: text(description),
    customerName: text(name),
    customerEmail: text(email),
    customerDocument: text(document),
    customerDocumentType: documentTypeOf(document.trim()),
    customerPhone: text(phone),
  };
}
