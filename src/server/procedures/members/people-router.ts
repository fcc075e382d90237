import { invitationInput, inviteInput, memberInput, peopleOutput, roleInput } from '#contract/members/session.ts';
import { withdrawInvitation } from '#services/members/invite-member.ts';
import { changeRole, listPeople, removePerson } from '#services/members/manage-members.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** Who signs in to the business, and what they may do. */
export const peopleRouter = router({
  list: memberProcedure.output(encoded(peopleOutput)).query(async ({ ctx: { deps, member } }) => {
    const { members, invitations } = await listPeople(deps, member.merchantId);
    return {
      members: members.map(({ id, name, email, role, hasSecondFactor, createdAt }) => ({
        id,
        name,
        email,
        role,
        has_second_factor: hasSecondFactor,
        own: id === member.memberId,
        created_at: createdAt,
      })),
      invitations: invitations.map(({ id, email, role, expiresAt }) => ({ id, email, role, expires_at: expiresAt })),
    };
  }),

  /** Sends an invitation to an address. */
  invite: memberProcedure
    .meta({ confirm: 'recent' })
    .input(inviteInput)
    .mutation(async ({ ctx: { member, panel }, input }) => {
      await panel.auth.invite({
        merchantId: member.merchantId,
        email: input.email,
        role: input.role,
        language: panel.language,
        by: member.memberId,
        origin: panel.origin,
      });
    }),

  /** Takes an invitation back: its link opens nothing from then on. */
  withdraw: memberProcedure
    .meta({ whileSuspended: true })
    .input(invitationInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      await withdrawInvitation(deps, { member, origin: panel.origin }, input.id);
    }),

  /** Gives a member another role. */
  setRole: memberProcedure
    .meta({ confirm: 'recent' })
    .input(roleInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      const by = { member, origin: panel.origin };
      await changeRole(deps, { merchantId: member.merchantId, memberId: input.id, role: input.role, by });
    }),

  /** Ends a membership: all sessions of the person are over. */
  remove: memberProcedure
    .meta({ confirm: 'recent', whileSuspended: true })
    .input(memberInput)
    .mutation(async ({ ctx: { deps, member, panel }, input }) => {
      const by = { member, origin: panel.origin };
      await removePerson(deps, { merchantId: member.merchantId, memberId: input.id, by });
    }),
});
