import { findSignedIn } from '#db/members/members.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/** The member of a session by its token; null when it is unknown or has ended. */
export async function findSessionMember(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<Member | null> {
  const found = await findSignedIn(db.pool, token, clock());
  return found && { kind: 'member', ...found };
}
