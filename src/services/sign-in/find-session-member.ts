import { findSignedIn } from '#db/members/members.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

/** Who has signed in with a session's token; null for one that is unknown or over. */
export async function findSessionMember(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<Member | null> {
  const found = await findSignedIn(db.pool, token, clock());
  return found && { kind: 'member', ...found };
}
