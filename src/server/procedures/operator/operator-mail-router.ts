import { mailInput, mailsInput, mailsOutput } from '#contract/operator/mail.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { listMails, mailState } from '#services/mail/list-mails.ts';
import { resendMail } from '#services/mail/resend-mail.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';

export const operatorMailRouter = operatorRouterOf({
  /** Mails without their texts, with their recipients masked. */
  list: operatorProcedure
    .input(mailsInput)
    .output(encoded(mailsOutput))
    .query(async ({ ctx, input: { not_sent: notSent, cursor: before, limit } }) => {
      const { mails, next } = await listMails(ctx.deps, { notSent, before, limit });
      return {
        mails: mails.map((one) => ({
          mail_id: one.id,
          template: one.template,
          recipient: one.recipient,
          state: mailState(one),
          attempts: one.attempts,
          error: one.lastError,
          created_at: one.createdAt,
          sent_at: one.sentAt,
        })),
        next_cursor: next,
      };
    }),

  /** Has a mail that was given up sent again. */
  resend: operatorProcedure.input(mailInput).mutation(async ({ ctx, input }) => {
    if (!(await resendMail(ctx.acting, input.mail_id))) throw new DomainError('invalid_state');
  }),
});
