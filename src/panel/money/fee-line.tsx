import { useTranslations } from 'next-intl';
import { SumLine } from './sum-lines.tsx';
import { useFeeText } from './use-fee-text.ts';

/** The line of the fee, with its formula. */
export function FeeLine({ fee, reais }: { fee: { percent: number; fixed: number }; reais: number | null }) {
  const t = useTranslations('panel.moneyForm');
  const feeText = useFeeText();
  const isFree = fee.percent === 0 && fee.fixed === 0;
  return <SumLine label={isFree ? t('noFee') : t('fee', { formula: feeText(fee) })} reais={reais} />;
}
