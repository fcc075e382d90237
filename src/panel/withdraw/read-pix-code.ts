import { readBrCode } from '#domain/charges/read-br-code.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';

/**
 * Why a code can't be paid here: the charge of a dynamic one is at the receiver's bank, where only
 * participants of PIX read it; one of Pix Automático asks for an authorisation; the others are
 * damaged, or have no valid key.
 */
export type PixCodeIssue = 'codeDynamic' | 'codeAutomatic' | 'codeBroken' | 'codeKey';

type PixCode = {
  issue: null;
  key: { type: PixKeyType; key: string };
  /** The code's own texts, which are not verified. */
  name: string;
  city: string;
  /** The code's own amount, e.g. `100.50`; empty where the payer chooses. */
  amount: string;
  /**
   * The identifier by which the receiver would recognise the payment; a PIX to a key does not carry
   * it.
   */
  txid: string | null;
};

const LIKE_A_CODE = /^\s*0002\d\d|br\.gov\.bcb\.pix/i;

/** Reads a BR Code that was put where a PIX key is asked for; `null` for any other text. */
export function readPixCode(text: string): PixCode | { issue: PixCodeIssue } | null {
  if (!LIKE_A_CODE.test(text)) return null;
  const { kind, key, amount, txid, merchantName, merchantCity, issues } = readBrCode(text);
  if (issues.some(({ severity }) => severity === 'error')) return { issue: 'codeBroken' };
  if (kind === 'dynamic') return { issue: 'codeDynamic' };
  if (kind === 'automatic') return { issue: 'codeAutomatic' };
  // Eleven digits in a code are a CPF: telephones have their +55 there.
  const found = recognisePixKey(key ?? '');
  const meant = found.find(({ type }) => type !== 'phone') ?? found[0];
  if (kind !== 'static' || !meant) return { issue: 'codeKey' };
  return { issue: null, key: meant, name: merchantName ?? '', city: merchantCity ?? '', amount: amount ?? '', txid };
}
