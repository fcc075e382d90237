import { createFormatter, createTranslator } from 'next-intl';
import type { Language } from '#domain/values/language.ts';
import { messages } from '#messages/messages.ts';
import { createFormats, type Formats, timeZone } from '../create-formats.ts';

/** How the pages write for a reader of this language. */
export function formatsIn(language: Language): Formats {
  const t = createTranslator({ locale: language, messages: messages[language], namespace: 'formats', timeZone });
  return createFormats(createFormatter({ locale: language, timeZone }), t);
}
