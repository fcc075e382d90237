import { STATEMENT_BALANCES, type StatementBalance } from '#domain/reports/statement-entry.ts';
import {
  dayOf,
  periodIssue,
  presetDays,
  STATEMENT_PRESETS,
  type StatementDays,
  type StatementPreset,
} from '#domain/reports/statement-period.ts';

/** What the page shows, as its address says it. `preset`: null for days that were chosen. */
export type StatementState = { balance: StatementBalance; preset: StatementPreset | null; days: StatementDays };

const BALANCE_WORDS: Record<StatementBalance, string> = {
  available: 'disponivel',
  pending: 'a-liberar',
  blocked: 'bloqueado',
};
const PRESET_WORDS: Record<StatementPreset, string> = {
  month: 'mes',
  'last-month': 'mes-passado',
  '7d': '7d',
  '30d': '30d',
};
const DEFAULT_BALANCE: StatementBalance = 'available';
const DEFAULT_PRESET: StatementPreset = '30d';

/** Reads `?saldo=bloqueado&periodo=mes` or `?de=2026-11-01&ate=2026-11-20`; what makes no sense is as if it were not there. */
export function readStatementState(params: { get(name: string): string | null }, today: string): StatementState {
  const balance = STATEMENT_BALANCES.find((one) => BALANCE_WORDS[one] === params.get('saldo')) ?? DEFAULT_BALANCE;
  const [from, to] = [params.get('de'), params.get('ate')];
  if (from !== null && to !== null && periodIssue({ from, to }) === null) {
    return { balance, preset: null, days: { from, to } };
  }
  const preset = STATEMENT_PRESETS.find((one) => PRESET_WORDS[one] === params.get('periodo')) ?? DEFAULT_PRESET;
  return { balance, preset, days: presetDays(preset, today) };
}

/** The same as of now, as statement.get takes it. */
export function addressedStatement(params: { get(name: string): string | null }) {
  const { balance, days } = readStatementState(params, dayOf(new Date()));
  return { balance, ...days };
}

/** The page's address for it. */
export function statementAddress(pathname: string, { balance, preset, days }: StatementState): string {
  const params = new URLSearchParams();
  if (balance !== DEFAULT_BALANCE) params.set('saldo', BALANCE_WORDS[balance]);
  if (preset === null) {
    params.set('de', days.from);
    params.set('ate', days.to);
  } else if (preset !== DEFAULT_PRESET) params.set('periodo', PRESET_WORDS[preset]);
  return params.size > 0 ? `${pathname}?${params}` : pathname;
}
