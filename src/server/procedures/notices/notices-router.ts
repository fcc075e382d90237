import { noticeInput, noticesInput, noticesOutput, readNoticesInput } from '#contract/notices/notices.ts';
import { ownTime } from '#services/accounts/on-test-clock.ts';
import type { Member, Principal } from '#services/api-keys/principal.ts';
import { getNotices, readNotice, readNotices } from '#services/notices/manage-notices.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

const ofMember = memberProcedure.meta({ whileSuspended: true });

/** What a member was notified of: of this account, and of the merchant as a whole. */
export const noticesRouter = router({
  list: memberProcedure
    .input(noticesInput)
    .output(encoded(noticesOutput))
    .query(async ({ ctx, input }) => {
      // Notices are written in real time: one that comes later is not read with those in the list.
      const as_of = ownTime(ctx.deps);
      const notices = await getNotices(ctx.deps, readerIn(ctx), input.language);
      return {
        notices: notices.map(({ isSecurity, createdAt, isRead, ...notice }) => ({
          ...{ ...notice, security: isSecurity, created_at: createdAt, read: isRead },
        })),
        as_of,
      };
    }),

  read: ofMember.input(noticeInput).mutation(({ ctx, input }) => readNotice(ctx.deps, readerIn(ctx), input.id)),

  readAll: ofMember
    .input(readNoticesInput)
    .mutation(({ ctx, input }) => readNotices(ctx.deps, readerIn(ctx), input.until)),
});

const readerIn = ({ principal, member }: { principal: Principal; member: Member }) => ({
  memberId: member.memberId,
  merchantId: member.merchantId,
  accountId: principal.accountId,
});
