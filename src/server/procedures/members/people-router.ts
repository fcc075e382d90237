import { invitationInput, inviteInput, peopleOutput } from '#contract/members/session.ts';
import { recordAudit } from '#services/audit/record-audit.ts';
import { inviteMember, listPeople, withdrawInvitation } from '#services/members/invite-member.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Who signs in to the business. Every member has all rights. */
export const peopleRouter = router({
  list: memberProcedure.output(encoded(peopleOutput)).query(async ({ ctx: { deps, member } }) => {
    const { members, invitations } = await listPeople(deps, member.merchantId);
    return {
      members: members.map(({ id, name, email, createdAt }) => ({
        name,
        email,
        own: id === member.memberId,
        created_at: createdAt,
      })),
      invitations: invitations.map(({ id, email, expiresAt }) => ({ id, email, expires_at: expiresAt })),
    };
  }),

  /** Sends an invitation to an address. */
  invite: memberProcedure
    .meta({ confirm: 'recent' })
    .input(inviteInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      await inviteMember(deps, {
        merchantId: member.merchantId,
        email: input.email,
        language: panel.language,
        by: member.memberId,
        origin: panel.origin,
      });
      deps.wakeWorkers();
    }),

  /** Takes an invitation back: its link opens nothing from then on. */
  withdraw: memberProcedure
    .meta({ whileSuspended: true })
    .input(invitationInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      await withdrawInvitation(deps, member.merchantId, input.id);
      await recordAudit(deps, { member, origin: panel.origin }, 'member.invitation_withdrawn');
    }),
});
