import { findMerchant } from '#db/members/invitations.ts';
import type { PasswordOwner } from '#domain/members/password.ts';
import type { Deps } from '../deps.ts';

/** What a member's password may not be made of: their address, their name and the business's. */
export const findPasswordOwner = async (
  deps: Pick<Deps, 'db'>,
  { email, name, merchantId }: { email: string; name: string; merchantId: string },
): Promise<PasswordOwner> => ({
  email,
  names: [name, (await findMerchant(deps.db, { id: merchantId }))?.name ?? ''],
});
