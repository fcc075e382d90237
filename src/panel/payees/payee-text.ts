import type { PayeeOutput } from '#contract/payees/payees.ts';
import { type PixKeyType, pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { networkName } from '#panel/payment/network-name.ts';
import { formatPixKey } from '../withdraw/draft.ts';

/** The type of a payee's PIX key; null for a wallet. */
export const payeeKeyType = ({ pix_key_type: type }: PayeeOutput): PixKeyType | null => type && pixKeyType(type);

/** The payee's PIX key with its punctuation, or their wallet. */
export function destinationText(payee: PayeeOutput): string {
  const type = payeeKeyType(payee);
  return payee.pix_key !== null && type ? formatPixKey(payee.pix_key, type) : (payee.wallet ?? '');
}

export const networkText = ({ network }: PayeeOutput): string => (network ? networkName(network) : '');

/**
 * Returns the payees that have every word of a text in their label, key, wallet, memo or network.
 */
export function findPayees(payees: readonly PayeeOutput[], text: string): PayeeOutput[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return payees.filter((payee) => {
    const all = [payee.label, destinationText(payee), payee.pix_key, payee.memo, networkText(payee)];
    const known = all.join(' ').toLowerCase();
    return words.every((word) => known.includes(word));
  });
}
