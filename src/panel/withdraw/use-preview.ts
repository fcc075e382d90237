import { api } from '#panel/api.tsx';
import { QUOTE_REFRESH_MS } from '#panel/money/quote-lines.tsx';
import { whileAmountChanges } from '#panel/money/while-amount-changes.ts';
import { currencyOf, type Draft } from './draft.ts';
import { errorsOf } from './schedule.ts';
import { withoutAmount } from './without-amount.ts';

/** Balance and limits also change by other people's withdrawals and by payments. */
const BALANCE_REFRESH_MS = 30_000;

/** What the withdrawal would cost and leave, kept up to date while it is on the page. */
export function usePreview(draft: Draft, amount: number | null) {
  const currency = currencyOf(draft);
  const input =
    draft.kind === 'pix' || currency === null
      ? { kind: 'pix' as const, amount }
      : { kind: 'crypto' as const, amount, currency };
  return api.withdrawalPreview.get.useQuery(input, {
    select: (data) => ({ ...data, errors: errorsOf(draft, data.errors) }),
    placeholderData: whileAmountChanges(input, withoutAmount),
    enabled: draft.kind === 'pix' || currency !== null,
    refetchInterval: input.kind === 'crypto' ? QUOTE_REFRESH_MS : BALANCE_REFRESH_MS,
  });
}

export type PreviewQuery = ReturnType<typeof usePreview>;
