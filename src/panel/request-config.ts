import { headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { chooseLanguage } from '#domain/values/language.ts';
import { timeZone } from './create-formats.ts';
import { messages } from './messages.ts';

/**
 * Language and texts of one request, for next-intl. Reading the headers is also what keeps every
 * page dynamic.
 */
export default getRequestConfig(async () => {
  const asked = await headers();
  // The member's choice counts before the browser's.
  const locale = chooseLanguage(asked.get('x-trilho-language') ?? asked.get('accept-language'));
  return { locale, messages: messages[locale], timeZone };
});
