import { z } from 'zod';
import { securityOutput, sessionInput } from '#contract/security.ts';
import { endOtherSessions, endSession, getSecurity } from '#services/list-security.ts';
import { recordAudit } from '#services/record-audit.ts';
import { memberProcedure, router } from './procedure.ts';

/** What a member sees and ends of his own sign-ins; setting factors up is better-auth's, behind the sign-in's door. */
export const securityRouter = router({
  get: memberProcedure.output(securityOutput).query(async ({ ctx: { deps, member } }) => {
    const { hasTotp, passkeys, sessions, audit } = await getSecurity(deps, member);
    return {
      has_totp: hasTotp,
      passkeys: passkeys.map(({ id, name, createdAt }) => ({
        id,
        name,
        created_at: createdAt?.toISOString() ?? null,
      })),
      sessions: sessions.map(({ id, ipAddress, userAgent, createdAt }) => ({
        id,
        current: id === member.sessionId,
        ip_address: ipAddress,
        user_agent: userAgent,
        created_at: createdAt.toISOString(),
      })),
      activity: audit.map(({ action, memberId, ipAddress, at }) => ({
        action,
        own: memberId === member.memberId,
        ip_address: ipAddress,
        at: at.toISOString(),
      })),
    };
  }),

  /** Ends a session, at once. Needs no second factor: whoever ends one can only lose by it. */
  endSession: memberProcedure
    .meta({ whileSuspended: true })
    .input(sessionInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      await endSession(deps, member, input.id);
      await recordAudit(deps, { member, origin: panel.origin }, 'session.ended');
    }),

  endOtherSessions: memberProcedure
    .meta({ whileSuspended: true })
    .output(z.object({ ended: z.number() }))
    .mutation(async ({ ctx: { deps, member, panel } }) => {
      const ended = await endOtherSessions(deps, member);
      await recordAudit(deps, { member, origin: panel.origin }, 'session.others_ended', { ended });
      return { ended };
    }),
});
