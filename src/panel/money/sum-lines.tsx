import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import classes from './money-form.module.css';

/** The lines of a sum. */
export const SumLines = (props: { children: ReactNode; maw?: number }) => (
  <Stack component="dl" gap={8} m={0} {...props} />
);

/**
 * One line of a sum, with a dash where there is no amount yet. `strong`: the line is the sum;
 * `rule`: a new sum begins.
 */
export function SumLine(props: { label: ReactNode; reais: number | null; strong?: boolean; rule?: boolean }) {
  const { label, reais, strong = false, rule = false } = props;
  return (
    <div className={classes.line} data-strong={strong} data-rule={rule}>
      <dt>{label}</dt>
      <dd>
        {reais === null ? <span aria-hidden="true">—</span> : <Amount reais={reais} size={strong ? 'md' : 'sm'} />}
      </dd>
    </div>
  );
}
