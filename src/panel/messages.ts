import type { Language } from '#domain/values/language.ts';
import en from './messages/en.json';
import ptBr from './messages/pt-BR.json';

export type Messages = typeof ptBr;

/**
 * Every text of the pages, by language; English has the keys of Portuguese, the type says so. For the server only: a client
 * component that imported this would send every language to every reader.
 */
export const messages: Record<Language, Messages> = { 'pt-BR': ptBr, en };

declare module 'next-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
