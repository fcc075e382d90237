import { Amount } from './amount.tsx';
import classes from './money-form.module.css';

/**
 * One line of a sum; a dash where there is no amount yet. `strong`: what the sum comes to; `rule`:
 * a new sum begins.
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
