import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  deleteInvitation,
  findInvitation,
  findInvitationByToken,
  type InvitationRow,
  insertInvitation,
} from '#db/members/invitations.ts';
import { findAddress, insertLinkMail } from '#db/members/links.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { linkTokenHash, newLinkToken } from '#domain/members/link-token.ts';
import type { Role } from '#domain/members/roles.ts';
import type { Language } from '#domain/values/language.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { type AsOperator, auditedOperator, memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { composeMail } from '../mail/send-mail.ts';
import { notifyPeopleChange } from './notify-people-change.ts';

type Invited = { email: string; language: Language };
/** The command line uses it too, beside a running service whose worker sends the message. */
type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'> & AsOperator;

/** Long enough for a holiday, too short for an abandoned mailbox. */
const INVITATION_MS = 7 * 86_400_000;
/**
 * Open invitations of one merchant: the service must not be usable to flood strangers' mailboxes.
 */
const OPEN_MAX = 20;

const NOWHERE: Origin = { ipAddress: null, userAgent: null };

/**
 * Invites an address to become a member of a merchant, with a role; an earlier invitation of the
 * same address ends. `by` is the id of the member who asks, null for the operator. Whether the
 * address belongs to a member of another merchant is shown only to the owner of the mailbox. Errors
 * (DomainError): already_member (of this merchant), too_many_invitations, not_found (who asks is no
 * owner any more).
 */
export async function inviteMember(
  deps: OperatorDeps,
  input: { merchantId: string; email: string; role: Role; language: Language; by: string | null; origin?: Origin },
): Promise<void> {
  const { merchantId, email, role, language, by, origin = NOWHERE } = input;
  const known = await findAddress(deps.db, email);
  if (known.kind === 'member' && known.merchantIds.includes(merchantId)) throw new DomainError('already_member');
  const now = ownTime(deps);
  const id = uuidv7(now);
  const invited: Invited = { email, language };
  const sealed = deps.secretBox.seal(JSON.stringify(invited), sealContext('invitations.sealed', { id }));
  const expiresAt = new Date(now.getTime() + INVITATION_MS);
  const audit = {
    merchantId,
    memberId: by,
    accountId: null,
    action: 'member.invited',
    details: { role, ...auditedOperator(deps) },
    ...origin,
    at: now,
  };
  const isReplaced = (earlier: InvitationRow) => openInvited(deps, earlier).email === email;
  const row = { id, merchantId, email, role, sealed, invitedBy: by, createdAt: now, expiresAt, isReplaced, audit };
  const outcome = await insertInvitation(deps.db, { ...row, openMax: OPEN_MAX });
  if (outcome === 'already_member') throw new DomainError('already_member');
  if (outcome === 'unknown') throw new DomainError('not_found');
  if (outcome === 'full') throw new DomainError('too_many_invitations');
}

/**
 * Writes the message of an invitation, with its link, and notifies the merchant's members. A second
 * run does what the first one did not.
 */
export async function runInvitation(deps: Deps, id: string): Promise<void> {
  const row = await findInvitation(deps.db, id);
  if (!row) return;
  const { email: to, language } = openInvited(deps, row);
  const merchant = row.merchantName;
  const { token, hash } = newLinkToken();
  const params = { merchant, url: `${deps.settings.publicUrl}/convite?token=${token}` };
  const mail = composeMail(deps, { to, language, template: 'invitation', params });
  const now = ownTime(deps);
  await insertLinkMail(deps.db, { table: 'invitations', id, tokenHash: hash, mail, now });
  // Also where a run that ended before this has written the message. Not of an invitation that was
  // replaced or withdrawn meanwhile.
  if (await findInvitation(deps.db, id)) await notifyPeopleChange(deps, row.merchantId, 'invited', to, id);
  deps.wakeWorkers();
}

export type InvitationSummary = {
  email: string;
  merchantName: string;
  role: Role;
  /** The address belongs to a member already, so no password is chosen. */
  isMember: boolean;
};

/**
 * What an invitation is for, to be shown on the page of its link. Changes nothing. Errors
 * (DomainError): link_over.
 */
export async function readInvitation(deps: Deps, token: string): Promise<InvitationSummary> {
  const { row, email } = await findByToken(deps, token);
  const isMember = (await findAddress(deps.db, email)).kind === 'member';
  return { email, merchantName: row.merchantName, role: row.role, isMember };
}

/** Takes an invitation back. Errors (DomainError): not_found. */
export async function withdrawInvitation(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { member: Member; origin: Origin },
  id: string,
): Promise<void> {
  const audit = memberEntry(deps, who, 'member.invitation_withdrawn');
  const { merchantId } = who.member;
  if (!(await deleteInvitation(deps.db, { merchantId, id, audit }))) throw new DomainError('not_found');
}

/** An invitation by the token of its link. Errors (DomainError): link_over. */
export async function findByToken(
  deps: Deps,
  token: string,
): Promise<{ row: InvitationRow; email: string; tokenHash: Buffer }> {
  const tokenHash = linkTokenHash(token);
  const row = tokenHash && (await findInvitationByToken(deps.db, tokenHash, ownTime(deps)));
  if (!row) throw new DomainError('link_over');
  return { row, email: openInvited(deps, row).email, tokenHash };
}

/** The address that is invited, and the language of the message. */
export const openInvited = (
  deps: Pick<Deps, 'secretBox'>,
  { id, sealed }: Pick<InvitationRow, 'id' | 'sealed'>,
): Invited => JSON.parse(deps.secretBox.open(sealed, sealContext('invitations.sealed', { id }))) as Invited;
