import { sealContext } from '#db/encryption/sealed-columns.ts';
import { listPayees, type PayeeRow } from '#db/payees/payees.ts';
import type { Deps } from '../deps.ts';

export type Payee = PayeeRow & {
  /** It can't be used yet for withdrawals that go to payees only. */
  isWaiting: boolean;
};

/** The payees of an account, the newest first, their keys and labels readable. */
export async function listOwnPayees(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>,
  accountId: string,
): Promise<Payee[]> {
  return (await listPayees(deps.db.pool, accountId)).map((row) => openPayee(deps, row));
}

/** A payee of an account by its id; null: the account has none of this id. */
export async function findOwnPayee(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>,
  accountId: string,
  id: string,
): Promise<Payee | null> {
  const [row] = await listPayees(deps.db.pool, accountId, id);
  return row ? openPayee(deps, row) : null;
}

function openPayee({ clock, secretBox }: Pick<Deps, 'clock' | 'secretBox'>, row: PayeeRow): Payee {
  const { id } = row;
  return {
    ...row,
    label: secretBox.open(row.label, sealContext('payees.label', { id })),
    pixKey: row.pixKey && secretBox.open(row.pixKey, sealContext('payees.pix_key', { id })),
    isWaiting: row.usableFrom > clock(),
  };
}
