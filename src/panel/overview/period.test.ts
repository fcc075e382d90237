import { expect, test } from 'vitest';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { addressWith, PERIOD_PARAMETER, readPeriod } from './period.ts';

test.each(OVERVIEW_PERIODS)('%s is read from the address that it made', (period) => {
  const { searchParams } = new URL(addressWith('/test/inicio', period), 'https://panel.example');
  expect(readPeriod(searchParams.get(PERIOD_PARAMETER))).toBe(period);
});

test('what is no period is thirty days', () => {
  expect(readPeriod('1000d')).toBe('30d');
  expect(readPeriod(null)).toBe('30d');
});
