import type { BatchView } from '#contract/withdrawals/payout-batches.ts';
import { pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { formatPixKey } from '#panel/withdraw/draft.ts';

/** The PIX key of a row with its punctuation. */
export function keyText({ pix_key: key, pix_key_type: type }: BatchView['rows'][number]): string {
  const known = pixKeyType(type);
  return known ? formatPixKey(key, known) : key;
}
