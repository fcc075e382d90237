import type { DecidedBy } from '#db/unmatched/unmatched.ts';

/** The operator, as the operating system knows them. */
export const byOperator = (name: string): DecidedBy => ({ name, memberId: null, ipAddress: null, userAgent: null });
