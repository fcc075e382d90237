import { useLocale } from 'next-intl';
import { formatInstant } from '#panel/format.ts';

/** Writes a moment inside a sentence, in the reader's language and Brasília's time. */
export function useInstant(): (instant: string | Date) => string {
  const language = useLocale();
  return (instant) => formatInstant(typeof instant === 'string' ? instant : instant.toISOString(), language);
}
