import type { WithdrawalErrorCode, WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';

/** Errors that another amount may not have. */
const OF_ITS_AMOUNT: ReadonlySet<WithdrawalErrorCode> = new Set([
  'insufficient_funds',
  'below_minimum',
  'above_maximum',
  'daily_limit_reached',
  'night_limit_reached',
]);

/** Returns a preview with what holds for every amount. */
export const withoutAmount = (preview: WithdrawalPreviewData): WithdrawalPreviewData => ({
  ...preview,
  received: null,
  fee: { ...preview.fee, amount: null },
  total: null,
  remaining: null,
  quote: preview.quote && { ...preview.quote, crypto_amount: null },
  errors: preview.errors.filter((code) => !OF_ITS_AMOUNT.has(code)),
});
