import { insertAudit } from '#db/audit/audit.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  deleteInvitations,
  findInvitation,
  findInvitationByToken,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  listMembers,
} from '#db/members/invitations.ts';
import { findAddress, insertLinkMail } from '#db/members/links.ts';
import { findModes, joinByInvitation } from '#db/members/sign-up.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { linkTokenHash, newLinkToken } from '#domain/members/link-token.ts';
import { chooseLanguage, type Language } from '#domain/values/language.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { PLAIN_ACCOUNT, prepareAccountOf } from '../accounts/open-account.ts';
import type { Origin } from '../api-keys/principal.ts';
import { type AsOperator, auditedOperator } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { composeMail, sendMail } from '../mail/send-mail.ts';
import { noteNewMember, rejectLink } from './new-member.ts';
import { hashNewPassword } from './new-password.ts';

type Invited = { email: string; language: Language };
/** Also beside a running service, whose worker sends the message. */
type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'> & AsOperator;

/** Long enough for a holiday, too short for an abandoned mailbox. */
const INVITATION_MS = 7 * 86_400_000;
/**
 * Open invitations of one merchant: the service must not be usable to flood strangers' mailboxes.
 */
const OPEN_MAX = 20;

const NOWHERE: Origin = { ipAddress: null, userAgent: null };

/**
 * Invites an address to become a member of a merchant; an earlier invitation of the same address
 * ends. `by` is the member who asks, null the operator. Whether the address is in use elsewhere is
 * said only in the message to that mailbox. Errors (DomainError): already_member (of this
 * merchant), too_many_invitations.
 */
export async function inviteMember(
  deps: OperatorDeps,
  input: { merchantId: string; email: string; language: Language; by: string | null; origin?: Origin },
): Promise<void> {
  const { merchantId, email, language, by, origin = NOWHERE } = input;
  const known = await findAddress(deps.db, email);
  if (known.kind === 'member' && known.merchantId === merchantId) throw new DomainError('already_member');
  const now = deps.clock();
  const earlier = (await listInvitations(deps.db, merchantId, now)).filter(
    (row) => openInvited(deps, row).email === email,
  );
  await deleteInvitations(
    deps.db,
    merchantId,
    earlier.map(({ id }) => id),
  );
  const id = uuidv7(now);
  const invited: Invited = { email, language };
  const sealed = deps.secretBox.seal(JSON.stringify(invited), sealContext('invitations.sealed', { id }));
  const expiresAt = new Date(now.getTime() + INVITATION_MS);
  const row = { id, merchantId, sealed, invitedBy: by, createdAt: now, expiresAt, openMax: OPEN_MAX };
  if (!(await insertInvitation(deps.db, row))) throw new DomainError('too_many_invitations');
  await insertAudit(deps.db, {
    merchantId,
    memberId: by,
    accountId: null,
    action: 'member.invited',
    details: auditedOperator(deps),
    ...origin,
    at: now,
  });
}

/**
 * Writes the message of an invitation: the link, or that this address signs in somewhere else
 * already. Writes no second link.
 */
export async function runInvitation(deps: Deps, id: string): Promise<void> {
  const row = await findInvitation(deps.db, id);
  if (!row) return;
  const { email: to, language } = openInvited(deps, row);
  const merchant = row.merchantName;
  if ((await findAddress(deps.db, to)).kind === 'member') {
    await sendMail(deps, { to, language, template: 'invited_elsewhere', params: { merchant } });
    return;
  }
  const { token, hash } = newLinkToken();
  const params = { merchant, url: `${deps.settings.publicUrl}/convite?token=${token}` };
  const mail = composeMail(deps, { to, language, template: 'invitation', params });
  const now = deps.clock();
  if (await insertLinkMail(deps.db, { table: 'invitations', id, tokenHash: hash, mail, now })) {
    await notifyMembersOfPeople(deps, row.merchantId, 'invited', to);
  }
  deps.wakeWorkers();
}

/**
 * What an invitation is for, for the page of its link. Changes nothing. Errors (DomainError):
 * link_over.
 */
export async function readInvitation(deps: Deps, token: string): Promise<{ email: string; merchantName: string }> {
  const { row } = await findByToken(deps, token);
  return { email: openInvited(deps, row).email, merchantName: row.merchantName };
}

/**
 * Makes the member that an invitation offers. Errors (DomainError): link_over, weak_password,
 * already_member.
 */
export async function acceptInvitation(
  deps: Deps,
  input: { token: string; name: string; password: string; origin: Origin },
): Promise<{ email: string }> {
  const { row, tokenHash } = await findByToken(deps, input.token);
  const { email } = openInvited(deps, row);
  const { name, origin } = input;
  const passwordHash = await hashNewPassword(input.password, { email, names: [name, row.merchantName] });
  const now = deps.clock();
  const member = { id: uuidv7(now), name, email, passwordHash };
  const modes = await findModes(deps.db, row.merchantId);
  const further = (['live', 'test'] as const)
    .filter((mode) => !modes.includes(mode))
    .map((mode) => prepareAccountOf(deps, { existingId: row.merchantId }, { ...PLAIN_ACCOUNT, mode }).row);
  const joined = joinByInvitation(deps.db, { tokenHash, member, further, now });
  const { merchantId } = await joined.catch(rejectLink);
  await noteNewMember(deps, { merchantId, memberId: member.id, origin }, 'member.joined');
  await notifyMembersOfPeople(deps, merchantId, 'joined', email);
  return { email };
}

/** The members of a merchant, and the invitations that are open. */
export async function listPeople(deps: OperatorDeps, merchantId: string) {
  const [members, invitations] = await Promise.all([
    listMembers(deps.db, merchantId),
    listInvitations(deps.db, merchantId, deps.clock()),
  ]);
  return { members, invitations: invitations.map((row) => ({ ...row, email: openInvited(deps, row).email })) };
}

/** Takes an invitation back. Errors (DomainError): not_found. */
export async function withdrawInvitation(deps: OperatorDeps, merchantId: string, id: string): Promise<void> {
  if ((await deleteInvitations(deps.db, merchantId, [id])) === 0) throw new DomainError('not_found');
}

/** To every member, whatever messages they want: who gets in concerns all. */
async function notifyMembersOfPeople(deps: Deps, merchantId: string, what: 'invited' | 'joined', person: string) {
  const url = `${deps.settings.publicUrl}/entrar?next=${encodeURIComponent('/live/seguranca')}`;
  for (const { name, email: to, language } of await listMembers(deps.db, merchantId)) {
    if (to === person) continue;
    const params = { name, what, person, url };
    await sendMail(deps, { to, language: chooseLanguage(language), template: 'people_changed', params });
  }
}

async function findByToken(deps: Deps, token: string): Promise<{ row: InvitationRow; tokenHash: Buffer }> {
  const tokenHash = linkTokenHash(token);
  const row = tokenHash && (await findInvitationByToken(deps.db, tokenHash, deps.clock()));
  if (!row) throw new DomainError('link_over');
  return { row, tokenHash };
}

const openInvited = (deps: OperatorDeps, { id, sealed }: Pick<InvitationRow, 'id' | 'sealed'>): Invited =>
  JSON.parse(deps.secretBox.open(sealed, sealContext('invitations.sealed', { id }))) as Invited;
