import { createSerializer } from 'nuqs/server';
import { expect, test } from 'vitest';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { loadPeriod, OVERVIEW_ADDRESS } from './period.ts';

test.each(OVERVIEW_PERIODS)('the period %s is read from the address that it made', (periodo) => {
  expect(loadPeriod(createSerializer(OVERVIEW_ADDRESS)({ periodo }))).toEqual({ periodo });
});

test('an address without a known period means thirty days', () => {
  expect(loadPeriod('?periodo=1000d')).toEqual({ periodo: '30d' });
  expect(loadPeriod('')).toEqual({ periodo: '30d' });
});
