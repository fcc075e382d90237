import { useLocale } from 'next-intl';
import { formatReais } from '#panel/format.ts';
import { numberFormatter } from '#panel/formatters.ts';

/** How a fee is reckoned: `1,00 % + R$ 0,10`; only the part that it has. */
export function useFeeText(): (fee: { percent: number; fixed: number }) => string {
  const language = useLocale();
  return ({ percent, fixed }) => {
    const rate = numberFormatter(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(percent);
    const parts = [...(percent > 0 ? [`${rate}\u00a0%`] : []), ...(fixed > 0 ? [formatReais(fixed, language)] : [])];
    return parts.length > 0 ? parts.join(' + ') : formatReais(0, language);
  };
}
