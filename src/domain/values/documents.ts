/**
 * Brazilian tax documents: CPF of a person, CNPJ of a company (numeric, and alphanumeric by IN RFB
 * 2.229/2024).
 */

export type DocumentType = 'cpf' | 'cnpj';

/** What people put between the digits; anything else is an error, not decoration. */
const DECORATION = /[.\-/ ]/g;

const CPF = /^\d{11}$/;
// Case is folded only after this match: toUpperCase would turn foreign letters (the dotless i, the
// long s) into ASCII ones.
const CNPJ = /^[0-9a-z]{12}\d{2}$/i;
const ALL_EQUAL = /^(.)\1*$/;
const ALL_ZERO = /^0*$/;

/**
 * The largest weight of a check digit: CPF's weights go on to 11, CNPJ's start again at 2 after 9.
 */
const CPF_WEIGHT_MAX = 11;
const CNPJ_WEIGHT_MAX = 9;

/**
 * The normalised document (11 digits, or 14 of [0-9A-Z]) when its two check digits are right, else
 * null. All-equal CPFs and the all-zero CNPJ pass the arithmetic but were never issued.
 */
export function parseDocument(text: string, type: DocumentType): string | null {
  const bare = text.replace(DECORATION, '');
  if (type === 'cpf') {
    return CPF.test(bare) && !ALL_EQUAL.test(bare) && hasCheckDigits(bare, CPF_WEIGHT_MAX) ? bare : null;
  }
  if (!CNPJ.test(bare) || ALL_ZERO.test(bare)) return null;
  const upper = bare.toUpperCase();
  return hasCheckDigits(upper, CNPJ_WEIGHT_MAX) ? upper : null;
}

/**
 * A document in its one spelling and which of the two it is, by its shape and check digits; null
 * when it is neither.
 */
export function readDocument(text: string): { type: DocumentType; number: string } | null {
  for (const type of ['cpf', 'cnpj'] as const) {
    const number = parseDocument(text, type);
    if (number !== null) return { type, number };
  }
  return null;
}

/** Which document a text is; null when it is neither. */
export const documentTypeOf = (text: string): DocumentType | null => readDocument(text)?.type ?? null;

function hasCheckDigits(document: string, weightMax: number): boolean {
  const body = document.slice(0, -2);
  const first = checkDigit(body, weightMax);
  return document === body + first + checkDigit(body + first, weightMax);
}

/**
 * Modulo 11, weights from the right, 2 up to weightMax and again; a character's value is its ASCII
 * code less 48.
 */
function checkDigit(text: string, weightMax: number): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < text.length; fromRight++) {
    const weight = 2 + (fromRight % (weightMax - 1));
    sum += (text.charCodeAt(text.length - 1 - fromRight) - 48) * weight;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
