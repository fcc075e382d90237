import { expect, test } from 'vitest';
import { fieldIssuesOf } from '../issues/issue-message.ts';
import { changeTermsInput } from './terms.ts';

const CHANGE = {
  account_id: '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b',
  effective_from: null,
  reason: 'Acordo',
};
const fee = (percent: unknown, fixed: unknown) => ({ fees: [{ type: 'pix_in', percent, fixed }] });
const limit = (value: unknown) => ({ limits: [{ name: 'daily_limit_out_pix', limit: value }] });

test.each([
  ['nothing', fee(0, 0), { bps: 0, fixed: 0n }],
  ['0.99 % and R$ 0.07', fee(0.99, 0.07), { bps: 99, fixed: 7n }],
  ['everything', fee(100, 100_000), { bps: 10_000, fixed: 10_000_000n }],
])('a fee of %s is taken exactly', (_, change, { bps, fixed }) => {
  expect(changeTermsInput.parse({ ...CHANGE, ...change }).fees).toEqual([{ type: 'pix_in', percent: bps, fixed }]);
});

test.each([
  ['a fee above 100 %', fee(100.01, 0), 'fees.0.percent', 'not_between'],
  ['a fee below nothing', fee(-0.01, 0), 'fees.0.percent', 'not_between'],
  ['a fee of a third decimal', fee(1.005, 0), 'fees.0.percent', 'not_between'],
  ['a fee that is a text', fee('1', 0), 'fees.0.percent', 'not_between'],
  ['a fixed part of a tenth of a centavo', fee(1, 0.001), 'fees.0.fixed', 'not_reais_with_decimals'],
  ['a fixed part above any tariff', fee(1, 100_000.01), 'fees.0.fixed', 'amount_too_large'],
  ['a limit below nothing', limit(-1), 'limits.0.limit', 'not_reais_with_decimals'],
  ['a spread above a half', { spread_percent: 50.01 }, 'spread_percent', 'not_between'],
  ['a day that does not exist', { ...limit(1), effective_from: '2026-02-30' }, 'effective_from', 'not_day'],
])('%s is rejected at its field', (_, change, field, code) => {
  const { error } = changeTermsInput.safeParse({ ...CHANGE, ...change });
  expect(error && fieldIssuesOf(error)).toEqual([expect.objectContaining({ field, issue: code })]);
});

test('a limit of zero, no limit, and the installation’s limit are distinguished', () => {
  const read = (change: object) => changeTermsInput.parse({ ...CHANGE, ...change }).limits[0];
  expect(read(limit(0))).toMatchObject({ limit: 0n, is_default: false });
  expect(read(limit(null))).toMatchObject({ limit: null, is_default: false });
  expect(read({ limits: [{ name: 'daily_limit_out_pix', limit: null, is_default: true }] })).toMatchObject({
    is_default: true,
  });
});
