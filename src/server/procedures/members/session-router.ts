import { z } from 'zod';
import {
  chooseMerchantInput,
  confirmInput,
  invitationLinkOutput,
  linkInput,
  meOutput,
  merchantsOutput,
  resetLinkOutput,
  signUpInput,
  signUpLinkOutput,
} from '#contract/members/session.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { storedLanguage } from '#domain/values/language.ts';
import { ownTime } from '#services/accounts/on-test-clock.ts';
import { hasOwnDisputes } from '#services/disputes/list-own-disputes.ts';
import { getMerchantName } from '#services/members/get-merchant-name.ts';
import { readInvitation } from '#services/members/invite-member.ts';
import { chooseOwnMerchant, listOwnMerchants } from '#services/members/manage-members.ts';
import { readSignUpLink } from '#services/members/sign-up.ts';
import { countUnread } from '#services/notices/manage-notices.ts';
import { hasOwnReconciliation } from '#services/reconciliation/get-own-reconciliation.ts';
import { pausedUntil } from '#services/sign-in/confirmations.ts';
import { hasAnyInbox } from '#services/unmatched/get-inbox.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, publicProcedure, router } from '../procedure.ts';
import { allowedTo } from '../role-access.ts';

export const sessionRouter = router({
  /** Who has signed in. */
  me: memberProcedure.output(encoded(meOutput)).query(async ({ ctx: { deps, principal, member } }) => ({
    name: member.name,
    email: member.email,
    merchant_name: await getMerchantName(deps, principal.accountId),
    kyc_status: principal.kycStatus,
    livemode: principal.mode === 'live',
    account_id: principal.accountId,
    role: member.role,
    may: allowedTo(member.role),
    currency: principal.currency,
    has_second_factor: member.hasSecondFactor,
    language: storedLanguage(member.language),
    theme: member.theme === 'light' || member.theme === 'dark' ? member.theme : null,
    has_disputes: await hasOwnDisputes(deps, principal.accountId),
    has_reconciliation: await hasOwnReconciliation(deps, principal.accountId),
    demo: deps.settings.demo,
    withdrawals_paused_until: pausedUntil(member, ownTime(deps)),
    test_clock: deps.testClock
      ? { day: dayOf(deps.clock()), ahead_seconds: Math.floor(deps.testClock.aheadMs / 1000) }
      : null,
    has_unmatched: await hasAnyInbox(deps, principal.accountId),
    unread_notices: await countUnread(deps, {
      memberId: member.memberId,
      merchantId: member.merchantId,
      accountId: principal.accountId,
    }),
    suspension_reason: principal.suspendedAt && (principal.suspensionReason ?? NOT_SAID),
    closed_rails: TRANSACTION_TYPES.flatMap((rail) => {
      const reason = principal.closedRails[rail];
      return reason === undefined ? [] : [{ rail, reason }];
    }),
  })),

  /** The merchants that the person acts for. */
  merchants: memberProcedure.output(encoded(merchantsOutput)).query(async ({ ctx: { deps, member } }) => ({
    merchants: (await listOwnMerchants(deps, member)).map(({ isChosen, ...merchant }) => ({
      ...merchant,
      chosen: isChosen,
    })),
  })),

  /** Has this browser act for another of them. */
  chooseMerchant: memberProcedure
    .meta({ whileSuspended: true })
    .input(chooseMerchantInput)
    .mutation(({ ctx: { deps, member }, input }) => chooseOwnMerchant(deps, member, input.id)),

  /** Proves who is at the keyboard, for what asks for it within the next minutes. */
  confirm: memberProcedure
    .meta({ whileSuspended: true })
    .input(confirmInput)
    .mutation(async ({ ctx, input }) => {
      await ctx.panel.auth.prove(
        ctx.member,
        'code' in input
          ? { code: input.code }
          : 'recovery_code' in input
            ? { recoveryCode: input.recovery_code }
            : { password: input.password },
      );
    }),

  /**
   * Has a link mailed that opens a business; answer and work are the same for an address that is
   * known already.
   */
  signUp: publicProcedure
    .input(signUpInput)
    .output(encoded(z.object({ mail: z.enum(['smtp', 'folder']) })))
    .mutation(async ({ ctx, input }) => {
      await ctx.panel?.auth.signUp({
        name: input.name,
        email: input.email,
        merchantName: input.merchant_name,
        document: input.document,
      });
      return { mail: ctx.deps.mailer.kind };
    }),

  /**
   * What the link of a sign-up would open. Changes nothing; a mutation, because its token must be
   * in no address and in no log. The link is used at /api/auth/sign-up/complete.
   */
  signUpLink: publicProcedure
    .input(linkInput)
    .output(encoded(signUpLinkOutput))
    .mutation(async ({ ctx: { deps }, input }) => {
      const { merchantName, name, email } = await readSignUpLink(deps, input.token);
      return { merchant_name: merchantName, name, email };
    }),

  /** Whose password a link would change; it is used at /api/auth/reset-password. */
  resetLink: publicProcedure
    .input(linkInput)
    .output(encoded(resetLinkOutput))
    .mutation(async ({ ctx, input }) => {
      if (!ctx.panel) throw new DomainError('link_over');
      return { email: await ctx.panel.auth.readResetLink(input.token) };
    }),

  /** What the link of an invitation would open; it is used at /api/auth/invitation/accept. */
  invitationLink: publicProcedure
    .input(linkInput)
    .output(encoded(invitationLinkOutput))
    .mutation(async ({ ctx: { deps }, input }) => {
      const { merchantName, email, role, isMember } = await readInvitation(deps, input.token);
      return { merchant_name: merchantName, email, role, member: isMember };
    }),
});

/** The operator gave no reason. */
const NOT_SAID = '';
