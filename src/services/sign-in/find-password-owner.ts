import { listMerchantsOf } from '#db/members/memberships.ts';
import type { PasswordOwner } from '#domain/members/password.ts';
import type { Deps } from '../deps.ts';

/**
 * What a member's password may not be made of: their address, their name and those of their
 * merchants.
 */
export const findPasswordOwner = async (
  deps: Pick<Deps, 'db'>,
  { email, name, memberId }: { email: string; name: string; memberId: string },
): Promise<PasswordOwner> => ({
  email,
  names: [name, ...(await listMerchantsOf(deps.db, memberId)).map((merchant) => merchant.name)],
});
