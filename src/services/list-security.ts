import { listAudit } from '#db/audit.ts';
import { endSessions, findTotpSecret, listPasskeys, listSessions } from '#db/members.ts';
import { PanelError } from '#domain/panel-error.ts';
import type { Deps } from './deps.ts';
import type { Member } from './principal.ts';

/** What the page shows of the past; the rest is in the operator's audit. */
const AUDIT_ROWS = 30;

/** How a member signs in, where he is signed in, and what was done at his merchant lately. */
export async function getSecurity({ db, clock }: Pick<Deps, 'db' | 'clock'>, member: Member) {
  const [totp, passkeys, sessions, audit] = await Promise.all([
    findTotpSecret(db.pool, member.memberId),
    listPasskeys(db, member.memberId),
    listSessions(db, member.memberId, clock()),
    listAudit(db, member.merchantId, AUDIT_ROWS),
  ]);
  return { hasTotp: totp !== null, passkeys, sessions, audit };
}

/** Ends one session of a member. Errors (PanelError): not_found. */
export async function endSession({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  if ((await endSessions(db, member.memberId, { id })) === 0) throw new PanelError('not_found');
}

/** Ends all sessions of a member but the one he asks from; gives how many. */
export const endOtherSessions = ({ db }: Pick<Deps, 'db'>, member: Member): Promise<number> =>
  endSessions(db, member.memberId, { allBut: member.sessionId });
