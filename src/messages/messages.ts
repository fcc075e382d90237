import type { Language } from '#domain/values/language.ts';
import en from './en.json' with { type: 'json' };
import ptBr from './pt-BR.json' with { type: 'json' };

export type Messages = typeof ptBr;

/**
 * Every text that people read on pages and in the files that they download, by language; English
 * has the keys of Portuguese, the type says so. As they are written, for the service; pages have
 * them compiled (`panel/messages.ts`).
 */
export const messages: Record<Language, Messages> = { 'pt-BR': ptBr, en };
