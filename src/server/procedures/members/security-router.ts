import { z } from 'zod';
import { activityInput, activityOutput, securityOutput, sessionInput } from '#contract/members/security.ts';
import { endOtherSessions, endSession, getSecurity, listActivity } from '#services/members/list-security.ts';
import { auditFilter } from '../audit-filter.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { toActivityEntry } from './to-activity-entry.ts';

/**
 * The member's own sessions, shown and ended; better-auth sets factors up, behind auth-handler.ts.
 */
export const securityRouter = router({
  get: memberProcedure.output(encoded(securityOutput)).query(async ({ ctx: { deps, member } }) => {
    const { hasTotp, passkeys, sessions } = await getSecurity(deps, member);
    return {
      has_totp: hasTotp,
      passkeys: passkeys.map(({ id, name, createdAt }) => ({
        id,
        name,
        created_at: createdAt,
      })),
      sessions: sessions.map(({ id, ipAddress, userAgent, createdAt }) => ({
        id,
        current: id === member.sessionId,
        ip_address: ipAddress,
        user_agent: userAgent,
        created_at: createdAt,
      })),
    };
  }),

  activity: memberProcedure
    .input(activityInput)
    .output(encoded(activityOutput))
    .query(async ({ ctx: { deps, member, principal }, input: { kind, cursor: before, limit, ...search } }) => {
      const page = { kind, before, limit, ...auditFilter(search) };
      const { entries, next } = await listActivity(deps, member.merchantId, page);
      const reader = { memberId: member.memberId, accountId: principal.accountId };
      return {
        entries: entries.map((entry) => toActivityEntry(entry, reader)),
        next_cursor: next,
      };
    }),

  /**
   * Ends a session, at once. Needs no second factor: ending a session gives an intruder nothing.
   */
  endSession: memberProcedure
    .meta({ whileSuspended: true })
    .input(sessionInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      await endSession(deps, { member, origin: panel.origin }, input.id);
    }),

  endOtherSessions: memberProcedure
    .meta({ whileSuspended: true })
    .output(encoded(z.object({ ended: z.number() })))
    .mutation(async ({ ctx: { deps, member, panel } }) => {
      return { ended: await endOtherSessions(deps, { member, origin: panel.origin }) };
    }),
});
