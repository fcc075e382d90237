export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];
const defaultLanguage: Language = 'pt-BR';

/**
 * Returns a stored choice; `null` where there is none, or where it is a language of a later
 * version.
 */
export const storedLanguage = (text: string | null): Language | null =>
  languages.find((language) => language === text) ?? null;

/**
 * The page language for an `Accept-Language` header (RFC 9110, section 12.5.4): the supported one
 * that the reader prefers, whatever the region (`pt-PT` reads `pt-BR`, `en-GB` reads `en`). A
 * reader who names neither gets Portuguese.
 */
export function chooseLanguage(acceptLanguage: string | null): Language {
  let best: { language: Language; quality: number } | null = null;
  for (const range of (acceptLanguage ?? '').split(',').slice(0, MAX_RANGES)) {
    const language = languageOf(range);
    const quality = qualityOf(range);
    if (language && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? defaultLanguage;
}

/** Browsers send fewer than ten ranges; a header of kilobytes is not worth the reading. */
const MAX_RANGES = 20;

function languageOf(range: string): Language | undefined {
  const primary = range.split(';')[0]?.trim().toLowerCase().split('-')[0];
  return languages.find((language) => language.toLowerCase().split('-')[0] === primary);
}

/** RFC 9110, section 12.4.2: no weight is 1; a weight that can't be read counts as "not wanted". */
function qualityOf(range: string): number {
  const weight = range.split(';').find((part) => part.trim().toLowerCase().startsWith('q='));
  if (weight === undefined) return 1;
  const quality = Number(weight.trim().slice('q='.length));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
