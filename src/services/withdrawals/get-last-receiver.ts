import { PIX_KEY_INDEX, pixKeyOfAccount } from '#db/encryption/sealed-columns.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { findLastReceiver } from '#db/withdrawals/receivers.ts';
import type { Deps } from '../deps.ts';

/** `document` may be masked by the provider, and is null when it gave none. */
export type LastReceiver = { name: string; document: string | null; paidAt: Date };

/**
 * The receiver of this account's last paid withdrawal to a PIX key, as the provider named them
 * then; null where there is none. Reads the account's own history and asks no provider
 * (docs/adr/0018-receiver-of-a-pix-withdrawal.md).
 *
 * @param pixKey normalised
 */
export async function getLastReceiver(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  pixKey: string,
): Promise<LastReceiver | null> {
  const { db, secretBox } = deps;
  const indexes = secretBox.fingerprints(pixKeyOfAccount(accountId, pixKey), PIX_KEY_INDEX);
  const found = await findLastReceiver(db.pool, accountId, indexes);
  if (!found) return null;
  const { receiverName: name, receiverDocument: document, paidAt } = openTransaction(secretBox, found);
  return { name, document, paidAt };
}
