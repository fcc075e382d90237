import type { ReactNode } from 'react';
import { Amount } from '#panel/money/amount.tsx';
import classes from './sum.module.css';

type Line = { text: ReactNode; reais: number | null; isTotal?: boolean | undefined };

/** Amounts, and what they come to; a dash for one that is not known yet. */
export const Sum = ({ lines }: { lines: readonly Line[] }) => (
  <dl className={classes.sum}>
    {lines.map(({ text, reais, isTotal = false }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sum has its lines in one order.
      <div key={index} className={classes.line} data-total={isTotal}>
        <dt>{text}</dt>
        <dd>{reais === null ? '–' : <Amount reais={reais} size={isTotal ? 'md' : 'sm'} />}</dd>
      </div>
    ))}
  </dl>
);
