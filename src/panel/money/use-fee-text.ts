import { useFormats } from '../use-formats.ts';

/** Returns the formula of a fee: `1,00 % + R$ 0,10`, with only the parts that it has. */
export function useFeeText(): (fee: { percent: number; fixed: number }) => string {
  const formats = useFormats();
  return ({ percent, fixed }) => {
    const rate = formats.number(percent, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const parts = [...(percent > 0 ? [`${rate}\u00a0%`] : []), ...(fixed > 0 ? [formats.reais(fixed)] : [])];
    return parts.length > 0 ? parts.join(' + ') : formats.reais(0);
  };
}
