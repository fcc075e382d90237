import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DayAmount, isZero } from './day-amount.tsx';
import classes from './day-figures.module.css';

type Line = Record<'psp' | 'ledger' | 'difference', string> & {
  name: 'opening' | 'received' | 'returned' | 'sent' | 'unlisted' | 'closing';
};

/** How the balance of a day came about, at the provider and here. */
export function DayFigures({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation.day');
  const cell = (name: 'psp' | 'ledger' | 'difference') => ({
    name,
    cell: (line: Line) => (
      <>
        <span className={classes.label}>{t(`columns.${name}`)}</span>
        <DayAmount text={line[name]} asset={day.asset} signed={name === 'difference'} />
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
        lines={['figure figure', 'psp ledger', 'difference difference']}
        rowProps={({ name }) => ({ 'data-balance': name === 'opening' || name === 'closing' })}
        columns={[
          { name: 'figure', cell: ({ name }) => t(name), isHead: true },
          cell('psp'),
          cell('ledger'),
          {
            ...cell('difference'),
            // On a phone a difference of zero is left out.
            props: ({ difference }) => ({ 'data-zero': isZero(difference) }),
          },
        ]}
      />
      {day.asset === 'BRL' ? <PspBalance day={day} /> : <CoinNotes day={day} />}
    </Stack>
  );
}

function PspBalance({ day: { balance, unlisted } }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation.day');
  const { reais } = useFormats();
  return (
    <>
      {balance !== null && <Muted>{t('balance', { amount: reais(Number(balance)) })}</Muted>}
      {!isZero(unlisted) && <Muted>{t('unlistedText', { amount: reais(Number(unlisted)) })}</Muted>}
    </>
  );
}

/**
 * What the ledger booked for the coins in reais, their fees, and the balance that the processor
 * reports.
 */
function CoinNotes({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation.coins');
  const { coins, reais } = useFormats();
  const { asset, fees, balance, unlisted, ledger_brl: brl } = day;
  return (
    <>
      {brl && <Muted>{t('brl', { received: reais(brl.received), sent: reais(brl.sent) })}</Muted>}
      {!isZero(fees) && <Muted>{t('fees', { amount: coins(fees, asset) })}</Muted>}
      {balance !== null && <Muted>{t('balance', { amount: coins(balance, asset) })}</Muted>}
      {!isZero(unlisted) && <Muted>{t('unlisted', { amount: coins(unlisted, asset) })}</Muted>}
    </>
  );
}

/**
 * The lines of the table. What leaves is negative, so that opening and the lines after it add up to
 * closing.
 */
function linesOf({ asset, psp, ledger, difference, unlisted }: ReconciledDayView): Line[] {
  const line = (name: Exclude<Line['name'], 'unlisted'>, isOut = false): Line => {
    const sign = isOut ? negative : (text: string) => text;
    return { name, psp: sign(psp[name]), ledger: sign(ledger[name]), difference: sign(difference[name]) };
  };
  const isPix = asset === 'BRL';
  return [
    line('opening'),
    line('received'),
    // Payments in coins are never returned.
    ...(isPix ? [line('returned', true)] : []),
    line('sent', true),
    ...(isPix && !isZero(unlisted)
      ? [{ name: 'unlisted', psp: unlisted, ledger: '0', difference: unlisted } as const]
      : []),
    line('closing'),
  ];
}

function negative(text: string): string {
  if (text.startsWith('-')) return text.slice(1);
  return isZero(text) ? text : `-${text}`;
}
