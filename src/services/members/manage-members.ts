import { listInvitations } from '#db/members/invitations.ts';
import {
  chooseMerchant,
  listMembers,
  listMerchantsOf,
  type MembershipChange,
  type MerchantOfMember,
  removeMember,
  setRole,
} from '#db/members/memberships.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Role } from '#domain/members/roles.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { type AsOperator, auditedOperator } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { openInvited } from './invite-member.ts';
import { preparePeopleNotices } from './notify-people-change.ts';

/** Who decides about members: one of them, or the operator (null). */
type By = { member: Member; origin: Origin } | null;

/** The members of a merchant, and the invitations that are open. */
export async function listPeople(deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>, merchantId: string) {
  // The members after the invitations: who accepts between the two reads is a member.
  const invited = await listInvitations(deps.db, merchantId, ownTime(deps));
  const members = await listMembers(deps.db, merchantId);
  const emails = new Set(members.map(({ email }) => email));
  const invitations = invited.map((row) => ({ ...row, email: openInvited(deps, row).email }));
  return { members, invitations: invitations.filter(({ email }) => !emails.has(email)) };
}

/**
 * Gives a member of a merchant another role, from now on. Errors (DomainError): not_found,
 * last_owner.
 */
export async function changeRole(
  deps: Deps & AsOperator,
  change: { merchantId: string; memberId: string; role: Role; by: By },
): Promise<void> {
  const person = await findPerson(deps, change);
  const { merchantId, memberId, role } = change;
  const notices = await preparePeopleNotices(deps, merchantId, 'role_changed', person.email);
  const audit = { ...auditOf(deps, change, 'member.role_changed'), notices };
  settle(await setRole(deps.db, { merchantId, memberId, role, audit }));
  deps.wakeWorkers();
}

/**
 * Removes a member from a merchant: all their sessions end. Keys that they created stay, because
 * systems use them. Errors (DomainError): not_found, last_owner.
 */
export async function removePerson(
  deps: Deps & AsOperator,
  removal: { merchantId: string; memberId: string; by: By },
): Promise<void> {
  const person = await findPerson(deps, removal);
  const { merchantId, memberId } = removal;
  const notices = await preparePeopleNotices(deps, merchantId, 'removed', person.email);
  const audit = { ...auditOf(deps, removal, 'member.removed'), notices };
  settle(await removeMember(deps.db, { merchantId, memberId, audit }));
  deps.wakeWorkers();
}

/** The merchants of a member; `isChosen`: the one that this browser acts for. */
export async function listOwnMerchants(
  { db }: Pick<Deps, 'db'>,
  member: Member,
): Promise<(MerchantOfMember & { isChosen: boolean })[]> {
  const merchants = await listMerchantsOf(db, member.memberId);
  return merchants.map((merchant) => ({ ...merchant, isChosen: merchant.id === member.merchantId }));
}

/** Has this browser act for another merchant of the member's. Errors (DomainError): not_found. */
export async function chooseOwnMerchant(
  { db }: Pick<Deps, 'db'>,
  { sessionId, memberId }: Member,
  merchantId: string,
): Promise<void> {
  if (!(await chooseMerchant(db, { sessionId, memberId, merchantId }))) throw new DomainError('not_found');
}

async function findPerson(deps: Pick<Deps, 'db'>, { merchantId, memberId }: { merchantId: string; memberId: string }) {
  const person = (await listMembers(deps.db, merchantId)).find(({ id }) => id === memberId);
  if (!person) throw new DomainError('not_found');
  return person;
}

const auditOf = (
  deps: Pick<Deps, 'clock'> & AsOperator,
  { merchantId, memberId, by }: { merchantId: string; memberId: string; by: By },
  action: string,
) => ({
  merchantId,
  memberId: by?.member.memberId ?? null,
  accountId: null,
  action,
  details: { member_id: memberId, ...auditedOperator(deps) },
  ipAddress: by?.origin.ipAddress ?? null,
  userAgent: by?.origin.userAgent ?? null,
  at: ownTime(deps),
});

function settle(outcome: MembershipChange): void {
  if (outcome === 'unknown') throw new DomainError('not_found');
  if (outcome === 'last_owner') throw new DomainError('last_owner');
}
