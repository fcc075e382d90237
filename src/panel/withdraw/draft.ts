import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { type PixKeyType, parsePixKey } from '#domain/withdrawals/pix-key.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { type PixCodeIssue, readPixCode } from './read-pix-code.ts';
import { type ScheduleDraft, type ScheduleIssue, scheduleIssues, scheduleOf } from './schedule.ts';
import { memoOf, walletOf } from './wallet-check.ts';

/** The fields of the form as they are typed. */
export type Draft = ScheduleDraft & {
  kind: 'pix' | 'crypto';
  amount: string;
  pixKey: string;
  /** Chosen by hand, where the key could be of several types. */
  pixKeyType: PixKeyType | null;
  /**
   * The key that was read from a BR Code, the name beside it, and the code's own identifier; empty
   * without a code.
   */
  codeKey: string;
  codeName: string;
  codeTxid: string;
  description: string;
  reference: string;
  currency: string;
  wallet: string;
  memo: string;
};

export const EMPTY_DRAFT: Draft = {
  kind: 'pix',
  amount: '',
  pixKey: '',
  pixKeyType: null,
  codeKey: '',
  codeName: '',
  codeTxid: '',
  description: '',
  reference: '',
  isScheduled: false,
  scheduledFor: '',
  every: '',
  times: '',
  reserve: false,
  currency: '',
  wallet: '',
  memo: '',
};

/**
 * Returns the key of a draft; null where it is invalid, or could be of several types and none is
 * chosen.
 */
export function keyOf(draft: Pick<Draft, 'pixKey' | 'pixKeyType'>): { type: PixKeyType; key: string } | null {
  const { pixKey, pixKeyType } = draft;
  const found = recognisePixKey(pixKey);
  if (found.length > 1) return found.find(({ type }) => type === pixKeyType) ?? null;
  return found[0] ?? null;
}

/**
 * Returns the name that a BR Code gave to the key; `null` without a code, or once another key was
 * typed.
 */
export const nameInCode = (draft: Draft): string | null =>
  draft.codeName !== '' && keyOf(draft)?.key === draft.codeKey ? draft.codeName : null;

/**
 * Returns a key with its punctuation: `119.132.470-02`, `+55 (51) 99825-9765`; other types as they
 * are.
 */
export function formatPixKey(key: string, type: PixKeyType): string {
  if (parsePixKey(key, type) !== key) return key;
  if (type === 'cpf') return key.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');
  if (type === 'cnpj') return key.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
  if (type === 'phone') return key.replace(/^\+55(\d{2})(\d{5})(\d{4})$/, '+55 ($1) $2-$3');
  return key;
}

export const currencyOf = ({ currency }: Pick<Draft, 'currency'>): CurrencyCode | null =>
  isCurrencyCode(currency) ? currency : null;

export type DraftIssue =
  | PixCodeIssue
  | 'amount'
  | 'key'
  | 'keyMissing'
  | 'keyType'
  | 'currency'
  | 'wallet'
  | 'walletMissing'
  | 'memo'
  | ScheduleIssue;

/** Returns the input of REST for a PIX to this key; an empty field is null. */
export const pixOf = <Amount>(draft: Draft, amount: Amount, { key, type }: NonNullable<ReturnType<typeof keyOf>>) => ({
  amount,
  pixKey: key,
  pixKeyType: type,
  description: draft.description.trim() || null,
  reference: referenceOf(draft),
  ...(draft.isScheduled && scheduleOf(draft)),
});

/** Returns the input of REST for coins to this wallet. */
export const cryptoOf = <Amount>(draft: Draft, amount: Amount) => ({
  amount,
  wallet: draft.wallet.trim(),
  currency: draft.currency,
  memo: draft.memo.trim() || null,
  reference: referenceOf(draft),
});

/** The reference; a draft that was kept before an upgrade has none. */
const referenceOf = ({ reference = '' }: Partial<Draft>): string | null => reference.trim() || null;

/**
 * Returns what would be sent, for the schema: an ambiguous key as its first type, an invalid one as
 * an EVP.
 */
export function wireOf(draft: Draft, amount: number | null) {
  if (draft.kind === 'crypto') return cryptoOf(draft, amount);
  const like = recognisePixKey(draft.pixKey)[0] ?? { type: 'evp' as const, key: draft.pixKey };
  return pixOf(draft, amount, keyOf(draft) ?? like);
}

/**
 * Returns what the schema does not know, or says in the API's words, by field, in the order of the
 * form; empty: nothing. `now` is the account's time, by which a date is too early or too late.
 */
export function issuesOf(draft: Draft, amount: number | null, now: Date): Partial<Record<keyof Draft, DraftIssue>> {
  return {
    ...(draft.kind === 'pix' ? keyIssues(draft) : walletIssues(draft)),
    ...(amount === null && { amount: 'amount' }),
    ...(draft.kind === 'pix' && scheduleIssues(draft, now)),
  };
}

function keyIssues(draft: Draft): Partial<Record<keyof Draft, DraftIssue>> {
  if (keyOf(draft)) return {};
  if (draft.pixKey.trim() === '') return { pixKey: 'keyMissing' };
  const code = readPixCode(draft.pixKey);
  if (code?.issue) return { pixKey: code.issue };
  return recognisePixKey(draft.pixKey).length > 1 ? { pixKeyType: 'keyType' } : { pixKey: 'key' };
}

function walletIssues(draft: Draft): Partial<Record<keyof Draft, DraftIssue>> {
  const code = currencyOf(draft);
  if (!code) return { currency: 'currency' };
  if (draft.wallet.trim() === '') return { wallet: 'walletMissing' };
  if (walletOf(draft.wallet, code) === null) return { wallet: 'wallet' };
  return draft.memo.trim() !== '' && memoOf(draft.memo, code) === null ? { memo: 'memo' } : {};
}
