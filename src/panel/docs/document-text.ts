import { useLocale } from 'next-intl';
import { ENGLISH } from './english.ts';

/** The document's own texts, which are Portuguese, in the reader's language where there is one: headings and summaries. */
export function useDocumentText(): (portuguese: string) => string {
  return useLocale() === 'en' ? (portuguese) => ENGLISH[portuguese] ?? portuguese : (portuguese) => portuguese;
}
