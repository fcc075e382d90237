import type { KycKind } from '#domain/kyc/kyc.ts';
import { KYC_FIELDS } from '#domain/kyc/kyc-form.ts';

/** Returns a document or zip code with its punctuation; any other text as it is. */
export function prettyNumber(text: string): string {
  const bare = text.replace(/[.\-/ ]/g, '').toUpperCase();
  if (/^\d{8}$/.test(bare)) return `${bare.slice(0, 5)}-${bare.slice(5)}`;
  if (/^\d{11}$/.test(bare)) return `${bare.slice(0, 3)}.${bare.slice(3, 6)}.${bare.slice(6, 9)}-${bare.slice(9)}`;
  if (/^[0-9A-Z]{12}\d{2}$/.test(bare)) {
    return `${bare.slice(0, 2)}.${bare.slice(2, 5)}.${bare.slice(5, 8)}/${bare.slice(8, 12)}-${bare.slice(12)}`;
  }
  return text;
}

/** Fields whose numbers are written with punctuation. */
const NUMBERS: ReadonlySet<string> = new Set(['cpf', 'cnpj', 'zip']);

/** Returns what was typed in a field as it is shown once the cursor has left it. */
export function prettyValue(kind: KycKind, field: string, value: string): string {
  const rule = (KYC_FIELDS[kind] as Record<string, { is: string }>)[field];
  return rule && NUMBERS.has(rule.is) ? prettyNumber(value) : value;
}
