import { parseEmail, parsePhone } from '#domain/contact.ts';
import { isCurrencyCode } from '#domain/currencies.ts';
import { documentTypeOf } from '#domain/documents.ts';
import type { Language } from '#domain/language.ts';
import { reaisOfText } from '#panel/money/reais-text.ts';

/** What is typed, as it is typed; a crypto invoice takes amount and currency only. */
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
  if (kind === 'crypto') return { ...(!isCurrencyCode(currency) && { currency: 'currency' }), ...noAmount };
  const isWrong = (text: string, parse: (text: string) => unknown) => text.trim() !== '' && parse(text.trim()) === null;
  return {
    ...noAmount,
    ...(isWrong(email, parseEmail) && { email: 'email' }),
    ...(isWrong(document, documentTypeOf) && { document: 'document' }),
    ...(isWrong(phone, parsePhone) && { phone: 'phone' }),
  };
}

/** The input of the REST operation; what was left empty is not sent. Only for a draft without faults. */
export function pixChargeOf(draft: ChargeDraft, amount: number) {
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
