import { Amount } from '#panel/money/amount.tsx';
import { useFormats } from '#panel/use-formats.ts';

const MINUS = '\u2212';

/** A decimal text in a day's currency, reais or coins; `signed` also writes the plus. */
export function DayAmount({ text, asset, signed = false }: { text: string; asset: string; signed?: boolean }) {
  const formats = useFormats();
  if (asset === 'BRL') return <Amount reais={Number(text)} size="sm" signed={signed} />;
  const isBelow = text.startsWith('-');
  const sign = isBelow ? MINUS : signed && !isZero(text) ? '+' : '';
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {sign}
      {formats.coins(isBelow ? text.slice(1) : text, asset)}
    </span>
  );
}

export const isZero = (text: string): boolean => Number(text) === 0;
