import { useFormats } from '#panel/use-formats.ts';
import classes from './amount.module.css';

const MINUS = '\u2212';

/**
 * An amount in reais: tabular figures, cents always, a minus sign for money that leaves; `signed`
 * also writes the plus.
 */
export function Amount(props: { reais: number; signed?: boolean; size?: 'sm' | 'md' | 'lg' | 'xl' }) {
  const { reais, signed = false, size = 'sm' } = props;
  const sign = reais < 0 ? MINUS : signed && reais > 0 ? '+' : '';
  return (
    <span className={classes.amount} data-size={size}>
      {sign}
      {useFormats().reais(Math.abs(reais))}
    </span>
  );
}
