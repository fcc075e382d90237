import { listCredentialsOfOthers } from '#db/accounts/own-credentials.ts';
import { isSameContract, type OwnCredentials } from '#rails/own-credentials.ts';
import type { Deps } from '../deps.ts';
import { openCredentials } from './seal-credentials.ts';

/**
 * Whether another account than this one (null: than a new one) uses these credentials: each of the
 * two would book the other's money as its own.
 */
export async function isOfAnotherAccount(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string | null,
  credentials: OwnCredentials,
): Promise<boolean> {
  const { kind } = credentials;
  const others = await listCredentialsOfOthers(deps.db.prisma, accountId, kind);
  return others.some((one) => isSameContract(openCredentials(deps, kind, one), credentials));
}
