import type { DecidedBy } from '#db/connection/ask-decision.ts';

/** Names the PSP as the one who decided a case, when no member or operator did. */
export const BY_PSP: DecidedBy = { name: 'PSP', memberId: null, ipAddress: null, userAgent: null };
