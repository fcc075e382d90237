import { findCredentialOf } from '#db/accounts/own-credentials.ts';
import type { ApiPixCredentials } from '#rails/own-credentials.ts';
import type { Deps } from '../deps.ts';
import { openCredentials } from './seal-credentials.ts';

/** An account's own credentials with a PSP, opened; null when it has none. */
export async function findOwnPsp(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
): Promise<ApiPixCredentials | null> {
  const found = await findCredentialOf(deps.db, accountId, 'api_pix');
  const opened = found && openCredentials(deps, 'api_pix', found);
  return opened?.kind === 'api_pix' ? opened.value : null;
}
