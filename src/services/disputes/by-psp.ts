import type { DecidedBy } from '#db/connection/ask-decision.ts';

/** What a PSP says of a case, and nobody has decided here. */
export const BY_PSP: DecidedBy = { name: 'PSP', memberId: null, ipAddress: null, userAgent: null };
