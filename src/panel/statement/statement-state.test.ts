import { createSerializer } from 'nuqs/server';
import { describe, expect, it } from 'vitest';
import {
  addressOfStatement,
  loadStatement,
  STATEMENT_ADDRESS,
  type StatementState,
  statementOf,
} from './statement-state.ts';

const TODAY = '2026-11-21';
const read = (query: string) => statementOf(loadStatement(query), TODAY);

describe('the address of a statement', () => {
  it('without anything is the available balance of thirty days', () => {
    expect(read('')).toEqual({ balance: 'available', preset: '30d', days: { from: '2026-10-23', to: TODAY } });
  });

  it.each<StatementState>([
    { balance: 'available', preset: '30d', days: { from: '2026-10-23', to: TODAY } },
    { balance: 'blocked', preset: 'last-month', days: { from: '2026-10-01', to: '2026-10-31' } },
    { balance: 'pending', preset: null, days: { from: '2026-01-01', to: '2026-01-31' } },
  ])('says all of it: %j', (state) => {
    const address = createSerializer(STATEMENT_ADDRESS)(addressOfStatement(state));
    expect(read(address)).toEqual(state);
  });

  it.each([
    'saldo=fees&periodo=ano',
    'de=2026-11-01',
    'de=2026-11-20&ate=2026-11-01',
    'de=2020-01-01&ate=2026-01-01',
    'de=x&ate=y',
  ])('that makes no sense is the usual one: %s', (query) => {
    expect(read(query)).toEqual(read(''));
  });
});
