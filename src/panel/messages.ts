import type { Language } from '#domain/values/language.ts';
import en from '#messages/en.json';
import type { Messages } from '#messages/messages.ts';
import ptBr from '#messages/pt-BR.json';

/**
 * The texts as the build of the pages compiles them: an import that says `type: 'json'` would
 * bypass its compiler. For the server only: a client component that imported this would send every
 * language to every reader.
 */
export const messages: Record<Language, Messages> = { 'pt-BR': ptBr, en };

declare module 'next-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
