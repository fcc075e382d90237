import { createTranslator } from 'next-intl';
import { messages } from '#panel/messages.ts';
import { baseUrlOf } from '../base-url-of.ts';
import type { Texts } from '../tables/table.ts';

/** In English, because programs read Markdown. */
const texts = createTranslator({ locale: 'en', messages: messages.en });

/** Answers with a text of the reference; with 404 where `write` returns null. */
export function markdownAnswer(
  request: Request,
  contentType: 'text/markdown' | 'text/plain',
  write: (t: Texts, base: string) => string | null,
): Response {
  const text = write(texts, baseUrlOf(request.headers));
  const headers = { 'content-type': `${contentType}; charset=utf-8` };
  return text === null ? new Response('Not found.\n', { status: 404, headers }) : new Response(text, { headers });
}
