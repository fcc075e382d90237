import { expect, test } from 'vitest';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { withoutAmount } from '../withdraw/without-amount.ts';
import { whileAmountChanges } from './while-amount-changes.ts';

const PREVIEW: WithdrawalPreviewData = {
  received: 100,
  fee: { percent: 0, fixed: 1, amount: 1 },
  total: 101,
  available: 8_820.11,
  at_own_provider: 0,
  remaining: 8_719.11,
  minimum: 1,
  maximum: null,
  limits: [{ name: 'daily', limit: 500, used: 0, left: 500, counts_now: true, ends_at: null }],
  quote: {
    currency: 'USDT_BSC',
    price: 5.4,
    spread_percent: 0,
    quoted_at: '2026-11-20T15:00:00.000Z',
    sources: [],
    crypto_amount: '18.7',
  },
  approval_above: null,
  payees_above: null,
  memo: 'none',
  errors: ['kyc_not_approved', 'insufficient_funds', 'below_minimum', 'above_maximum', 'daily_limit_reached'],
  paused_until: null,
};

type Input = { kind: string; currency?: string; amount: number | null };

const shown = (input: Input, asked: Input | undefined) =>
  whileAmountChanges(input, withoutAmount)(
    PREVIEW,
    asked && { queryKey: [['withdrawalPreview', 'get'], { input: asked, type: 'query' }] },
  );

test('while another amount is read, no figure of the one before is shown, and what holds for both stays', () => {
  const data = shown(
    { kind: 'crypto', currency: 'USDT_BSC', amount: 200 },
    { currency: 'USDT_BSC', amount: 100, kind: 'crypto' },
  );
  expect(data).toEqual({
    ...PREVIEW,
    received: null,
    fee: { percent: 0, fixed: 1, amount: null },
    total: null,
    remaining: null,
    quote: { ...PREVIEW.quote, crypto_amount: null },
    errors: ['kyc_not_approved'],
  });
});

test('nothing that was read for PIX is shown of crypto, and nothing of another currency', () => {
  expect(shown({ kind: 'crypto', currency: 'BTC', amount: 100 }, { kind: 'pix', amount: 100 })).toBeUndefined();
  expect(
    shown({ kind: 'crypto', currency: 'BTC', amount: 100 }, { kind: 'crypto', currency: 'USDT_BSC', amount: 100 }),
  ).toBeUndefined();
  expect(shown({ kind: 'pix', amount: 100 }, undefined)).toBeUndefined();
});
