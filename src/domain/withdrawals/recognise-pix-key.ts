import { type PixKeyType, parsePixKey } from './pix-key.ts';

export type RecognisedKey = { type: PixKeyType; key: string };

const TYPES: readonly PixKeyType[] = ['cpf', 'cnpj', 'phone', 'email', 'evp'];

/**
 * Returns every kind of key that a text can be, normalised. Mostly there is one. Eleven digits may
 * be a CPF and a mobile number at once, and only the member knows which is meant; punctuation
 * (`519.982.597-65`, `(51) 99825-9765`) distinguishes them.
 */
export const recognisePixKey = (text: string): RecognisedKey[] =>
  TYPES.flatMap((type) => {
    const key = parsePixKey(text, type);
    return key === null ? [] : [{ type, key }];
  });
