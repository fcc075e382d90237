import type { CredentialKind } from '#db/accounts/account-terms.ts';
import { listCredentialsOf, type NewCredential } from '#db/accounts/own-credentials.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { isSameContract, isSameRail, type OwnCredentials, readOwnCredentials } from '#rails/own-credentials.ts';
import type { Deps } from '../deps.ts';

/** Seals new credentials for the database, under an id of their own, which names a new rail. */
export function sealNewCredentials(
  deps: Pick<Deps, 'secretBox'>,
  credentials: OwnCredentials,
  now: Date,
): NewCredential {
  const id = uuidv7(now);
  const sealed = deps.secretBox.seal(JSON.stringify(credentials.value), sealContext('credentials.sealed', { id }));
  return { id, railId: id, sealed, isTakenBy: sameContractAs(deps, credentials) };
}

/** Whether sealed credentials lead to the same account at the provider as these. */
export const sameContractAs =
  (deps: Pick<Deps, 'secretBox'>, credentials: OwnCredentials): NewCredential['isTakenBy'] =>
  (other) =>
    isSameContract(openCredentials(deps, credentials.kind, other), credentials);

/**
 * Seals credentials for an existing account, on the rail of its earlier ones that are of the same
 * rail (isSameRail), else on a new one.
 */
export async function sealReplacement(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  credentials: OwnCredentials,
  now: Date,
): Promise<NewCredential> {
  const sealed = sealNewCredentials(deps, credentials, now);
  const before = await listCredentialsOf(deps.db, accountId, credentials.kind);
  const same = before.find((one) => isSameRail(openCredentials(deps, credentials.kind, one), credentials));
  return same ? { ...sealed, railId: same.railId } : sealed;
}

/** Opens an account's own sealed credentials. */
export const openCredentials = (
  deps: Pick<Deps, 'secretBox'>,
  kind: string,
  { id, sealed }: { id: string; sealed: string },
): OwnCredentials =>
  readOwnCredentials(kind, JSON.parse(deps.secretBox.open(sealed, sealContext('credentials.sealed', { id }))));

/**
 * Seals the credentials that an operator sets, of each kind that is named. `value` null ends those
 * of the kind.
 */
export async function sealGiven(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  given: readonly { kind: CredentialKind; value: object | null }[],
  now: Date,
): Promise<{ kind: CredentialKind; value: NewCredential | null }[]> {
  const sealed = given.map(async ({ kind, value }) => ({
    kind,
    value: value && (await sealReplacement(deps, accountId, readOwnCredentials(kind, value), now)),
  }));
  return Promise.all(sealed);
}
