import { expect, test } from 'vitest';
import { typedTerms } from '#domain/accounts/terms-change.ts';
import { describeTerms } from './add-terms-commands.ts';

test('a change of terms is listed with what held before, and no term of that name', () => {
  const terms = { fees: { pix_out: { bps: 99, fixedCentavos: 10n } }, limits: { daily_limit_out_pix: 5_000_00n } };
  const before = { fees: {}, limits: { daily_limit_out_pix: 10_000_00n } };
  expect(describeTerms(typedTerms(terms, before))).toBe(
    'fee pix_out=99bps+10, limit daily_limit_out_pix=5000.00 (before: 10000.00)',
  );
});
