import type { Command } from 'commander';
import { listMails, type MailListing, mailState } from '#services/mail/list-mails.ts';
import { resendMail } from '#services/mail/resend-mail.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';

/** What one screen shows; `--before` goes on from its last line. */
const LISTED_MAX = 100;

/** Adds the commands of the log of e-mails: list, resend. */
export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('e-mails of the last 30 days, without what they say');
  mail
    .command('list')
    .description('e-mails, newest first: to whom (masked), about what, and whether they were sent')
    .option('--not-sent', 'those that wait or were given up')
    .option('--before <mail>', 'older than this one')
    .option('--json', 'answer in JSON')
    .action(async ({ notSent = false, before, json }: { notSent?: boolean; before?: string; json?: boolean }) => {
      const from = before === undefined ? null : asId('mail', before);
      const { mails } = await withContext((context) =>
        listMails(context, { notSent, before: from, limit: LISTED_MAX }),
      );
      print(json, mails.map(present), () =>
        mails.length === 0
          ? ['There is no e-mail.']
          : mails
              .map(present)
              .map(
                (one) =>
                  `${one.id}  ${one.created_at}  ${one.state.padEnd(8)}  ${counted(one.attempts, 'attempt')}  ${one.template}  ${one.recipient}${one.error ? `  "${one.error}"` : ''}`,
              ),
      );
    });
  mail
    .command('resend <mail>')
    .description('send an e-mail again that was given up; a link in it may be over')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: { json?: boolean }) => {
      const id = asId('mail', typedId);
      if (!(await withContext((context) => resendMail(context, id))))
        throw new CommandError('There is no such e-mail that was given up: "mail list --not-sent" shows them.');
      print(json, { id, resent: true }, () => [`E-mail ${id} is sent within a second, if a worker runs.`]);
    });
}

const present = (one: MailListing) => ({
  id: one.id,
  template: one.template,
  recipient: one.recipient,
  state: mailState(one),
  attempts: one.attempts,
  error: one.lastError,
  created_at: one.createdAt.toISOString(),
  sent_at: one.sentAt?.toISOString() ?? null,
});
