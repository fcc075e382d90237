import { chooseLanguage, type Language } from '#domain/values/language.ts';

/** The language of whoever sent a request, as its browser asks for it; as the pages choose it. */
export const languageOf = (request: { headers: Headers } | undefined): Language =>
  chooseLanguage(request?.headers.get('accept-language') ?? null);
