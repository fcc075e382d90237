import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './day-figures.module.css';

type Line = {
  name: 'opening' | 'received' | 'returned' | 'sent' | 'unlisted' | 'closing';
  psp: number;
  ledger: number;
};

/** How the balance came from the beginning of the day to its end, at the PSP and here. */
export function DayFigures({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation.day');
  const formats = useFormats();
  const cell = (name: 'psp' | 'ledger' | 'difference', amountOf: (line: Line) => number, signed = false) => ({
    name,
    cell: (line: Line) => (
      <>
        <span className={classes.label}>{t(`columns.${name}`)}</span>
        <Amount reais={amountOf(line)} size="sm" signed={signed} />
      </>
    ),
    isNumeric: true,
  });
  return (
    <Stack gap="xs">
      <DataTable
        rows={linesOf(day)}
        keyOf={({ name }) => name}
        title={(name) => t(`columns.${name}`)}
        label={t('figures')}
        classes={classes}
        rowProps={({ name }) => ({ 'data-balance': name === 'opening' || name === 'closing' })}
        columns={[
          { name: 'figure', cell: ({ name }) => t(name), isHead: true },
          cell('psp', ({ psp }) => psp),
          cell('ledger', ({ ledger }) => ledger),
          {
            ...cell('difference', differenceOf, true),
            // On a phone it is left out where there is none.
            props: (line) => ({ 'data-zero': differenceOf(line) === 0 }),
          },
        ]}
      />
      {day.balance !== null && <Muted>{t('balance', { amount: formats.reais(day.balance) })}</Muted>}
      {day.unlisted !== 0 && <Muted>{t('unlistedText', { amount: formats.reais(day.unlisted) })}</Muted>}
    </Stack>
  );
}

/** What leaves is below zero, so that opening and what follows it add up to closing. */
function linesOf({ psp, ledger, unlisted }: ReconciledDayView): Line[] {
  return [
    { name: 'opening', psp: psp.opening, ledger: ledger.opening },
    { name: 'received', psp: psp.received, ledger: ledger.received },
    { name: 'returned', psp: -psp.returned, ledger: -ledger.returned },
    { name: 'sent', psp: -psp.sent, ledger: -ledger.sent },
    ...(unlisted === 0 ? [] : [{ name: 'unlisted', psp: unlisted, ledger: 0 } as const]),
    { name: 'closing', psp: psp.closing, ledger: ledger.closing },
  ];
}

/** In centavos: the difference of two amounts in binary would not be what is shown. */
const differenceOf = ({ psp, ledger }: Line): number => (Math.round(psp * 100) - Math.round(ledger * 100)) / 100;
