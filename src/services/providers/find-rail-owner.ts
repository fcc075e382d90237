import { findCredentialOwner } from '#db/accounts/own-credentials.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';

/** Returns the account whose own credentials a rail uses; null for the installation's. */
export async function findRailOwner({ db }: Pick<Deps, 'db'>, rail: string): Promise<string | null> {
  const credentialId = ownCredentialId(rail);
  return credentialId === null ? null : findCredentialOwner(db, credentialId);
}
