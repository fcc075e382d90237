import type { IncomingMessage } from 'node:http';
import type { Origin } from '#services/api-keys/principal.ts';

/** No browser or library needs more, and it is written for every action. */
const USER_AGENT_LENGTH_MAX = 400;

/** Where a request came from, for the audit. */
export const originOf = (req: IncomingMessage, ipAddress: string | null): Origin => ({
  ipAddress,
  userAgent: req.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
});
