import { createLoader, type inferParserType, parseAsString } from 'nuqs/server';
import type { StatementBalance } from '#domain/reports/statement-entry.ts';
import {
  dayOf,
  periodIssue,
  presetDays,
  type StatementDays,
  type StatementPreset,
} from '#domain/reports/statement-period.ts';
import { parseAsWord } from '#panel/shell/parse-as-word.ts';

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

/** `?saldo=bloqueado&periodo=mes` or `?de=2026-11-01&ate=2026-11-20`. */
export const STATEMENT_ADDRESS = {
  saldo: parseAsWord(BALANCE_WORDS).withDefault('available'),
  periodo: parseAsWord(PRESET_WORDS).withDefault('30d'),
  de: parseAsString,
  ate: parseAsString,
};

export const loadStatement = createLoader(STATEMENT_ADDRESS);

/** Returns what an address shows; days that make no valid period are ignored. */
export function statementOf(address: inferParserType<typeof STATEMENT_ADDRESS>, today: string): StatementState {
  const { saldo: balance, periodo: preset, de: from, ate: to } = address;
  if (from !== null && to !== null && periodIssue({ from, to }) === null) {
    return { balance, preset: null, days: { from, to } };
  }
  return { balance, preset, days: presetDays(preset, today) };
}

/** Returns the address of a state. */
export const addressOfStatement = ({ balance, preset, days }: StatementState) => ({
  saldo: balance,
  periodo: preset,
  de: preset === null ? days.from : null,
  ate: preset === null ? days.to : null,
});

/** Returns the input of statement.get for an address. */
export function addressedStatement(search: URLSearchParams) {
  const { balance, days } = statementOf(loadStatement(search), dayOf(new Date()));
  return { balance, ...days };
}
