import type { DecidedBy } from '#db/connection/ask-decision.ts';

/** The operator, as the operating system knows them. */
export const byOperator = (name: string): DecidedBy => ({ name, memberId: null, ipAddress: null, userAgent: null });
