import { useLocale } from 'next-intl';
import { formatInstant, formatInstantExactly } from '#panel/format.ts';

/** A moment in Brasília's time; the exact one is in the tooltip. */
export function When({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const language = useLocale();
  const exact = formatInstantExactly(at, language);
  return (
    <time dateTime={at} title={exact} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {seconds ? exact : formatInstant(at, language)}
    </time>
  );
}
