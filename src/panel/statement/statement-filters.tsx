import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { STATEMENT_BALANCES, type StatementBalance } from '#domain/reports/statement-entry.ts';
import { presetDays, STATEMENT_PRESETS, type StatementPreset } from '#domain/reports/statement-period.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { CustomDays } from './custom-days.tsx';
import classes from './statement.module.css';
import type { StatementState } from './statement-state.ts';

/** The filters of the statement: which balance, and which days. */
export function StatementFilters(props: {
  state: StatementState;
  today: string;
  onChange: (state: StatementState) => void;
}) {
  const { state, today, onChange } = props;
  const t = useTranslations('panel.statement');
  const tShell = useTranslations('panel.shell');
  const { me, mode } = usePanel();
  const choosePeriod = (chosen: string) => {
    if (chosen === 'custom') return onChange({ ...state, preset: null });
    const preset = chosen as StatementPreset;
    onChange({ ...state, preset, days: presetDays(preset, today) });
  };
  const printed = [
    me.merchant_name,
    t(`balances.${state.balance}`),
    tShell('zone'),
    ...(mode === 'test' ? [tShell('testBar')] : []),
  ];
  return (
    <div className={classes.filters} data-printed={printed.join(' · ')}>
      <SegmentedControl
        className={classes.balances}
        aria-label={t('balance')}
        value={state.balance}
        onChange={(balance) => onChange({ ...state, balance: balance as StatementBalance })}
        data={STATEMENT_BALANCES.map((value) => ({ value, label: t(`balances.${value}`) }))}
      />
      <NativeSelect
        className={classes.preset}
        label={t('period')}
        value={state.preset ?? 'custom'}
        onChange={(event) => choosePeriod(event.currentTarget.value)}
        data={[...STATEMENT_PRESETS, 'custom' as const].map((value) => ({ value, label: t(`presets.${value}`) }))}
      />
      {state.preset === null && (
        <CustomDays days={state.days} today={today} onChange={(days) => onChange({ ...state, preset: null, days })} />
      )}
    </div>
  );
}
