import type { ReactNode } from 'react';
import { SumLine, SumLines } from '#panel/money/sum-lines.tsx';

type Line = { text: ReactNode; reais: number | null; isTotal?: boolean | undefined };

/** Amounts, and what they come to; a dash for one that is not known yet. */
export const Sum = ({ lines }: { lines: readonly Line[] }) => (
  <SumLines>
    {lines.map(({ text, reais, isTotal = false }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sum has its lines in one order.
      <SumLine key={index} label={text} reais={reais} strong={isTotal} rule={isTotal} />
    ))}
  </SumLines>
);
