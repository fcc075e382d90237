import { useTranslations } from 'next-intl';
import { Amount } from './amount.tsx';
import classes from './money-form.module.css';
import { useFeeText } from './use-fee-text.ts';

/**
 * One line of a sum, with a dash where there is no amount yet. `strong`: the line is the sum;
 * `rule`: a new sum begins.
 */
export function SumLine(props: { label: string; reais: number | null; strong?: boolean; rule?: boolean }) {
  const { label, reais, strong = false, rule = false } = props;
  return (
    <div className={classes.line} data-strong={strong} data-rule={rule}>
      <dt>{label}</dt>
      <dd>
        {reais === null ? <span aria-hidden="true">–</span> : <Amount reais={reais} size={strong ? 'md' : 'sm'} />}
      </dd>
    </div>
  );
}

/** The line of the fee, with its formula. */
export function FeeLine({ fee, reais }: { fee: { percent: number; fixed: number }; reais: number | null }) {
  const t = useTranslations('panel.moneyForm');
  const feeText = useFeeText();
  const isFree = fee.percent === 0 && fee.fixed === 0;
  return <SumLine label={isFree ? t('noFee') : t('fee', { formula: feeText(fee) })} reais={reais} />;
}
