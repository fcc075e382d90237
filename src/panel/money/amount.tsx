import { useFormats } from '#panel/use-formats.ts';
import classes from './amount.module.css';

/**
 * An amount in reais: tabular figures, cents always, a minus sign for money that leaves; `signed`
 * also writes the plus.
 */
export function Amount(props: { reais: number; signed?: boolean; size?: 'sm' | 'md' | 'lg' | 'xl' }) {
  const { reais, signed = false, size = 'sm' } = props;
  return (
    <span className={classes.amount} data-size={size}>
      {signed && reais > 0 && '+'}
      {useFormats().reais(reais)}
    </span>
  );
}
