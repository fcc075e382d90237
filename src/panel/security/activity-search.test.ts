import { expect, test } from 'vitest';
import { activityInput, loadActivitySearch } from './activity-search.ts';

const inputOf = (query: string) => activityInput(loadActivitySearch(new URLSearchParams(query)));

test('the audit log shows what its address says, and ignores what it does not know', () => {
  expect(inputOf('registros=dinheiro&busca=saque&quem=Ana&de=2026-11-01&ate=2026-11-30')).toEqual({
    kind: 'money',
    text: 'saque',
    who: 'Ana',
    from: '2026-11-01',
    to: '2026-11-30',
  });
  expect(inputOf('registros=tudo&busca=&de=2026-02-30')).toEqual({ kind: 'security' });
});
