import type { DecidedBy } from '#db/unmatched/unmatched.ts';
import type { Member, Origin } from '../api-keys/principal.ts';

/** The operator, as the operating system knows them. */
export const byOperator = (name: string): DecidedBy => ({ name, memberId: null, ipAddress: null, userAgent: null });

/** A member of the merchant whose money it is. */
export const byMember = (member: Member, origin: Origin): DecidedBy => ({
  name: `member ${member.memberId}`,
  memberId: member.memberId,
  ...origin,
});
