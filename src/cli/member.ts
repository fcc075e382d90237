import { type Command, Option } from 'commander';
import { findMerchant } from '#db/members/invitations.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ROLES, type Role } from '#domain/members/roles.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { type Language, languages } from '#domain/values/language.ts';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { inviteMember } from '#services/members/invite-member.ts';
import { resetMember } from '#services/members/reset-member.ts';
import { signOutMember } from '#services/members/sign-out-member.ts';
import { type CommandContext, CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readAddress } from './read-address.ts';
import { reasonUpTo } from './read-reason.ts';

type InviteOptions = { merchant: string; role: Role; language: Language; json?: boolean };

const UNKNOWN = 'Nobody signs in with this address.';
const UNKNOWN_MERCHANT = 'There is no such merchant: "account list" shows them all.';

const REASONS: Partial<Record<DomainError['code'], string>> = {
  already_member: 'This address is a member of this merchant already.',
  too_many_invitations: 'This merchant has as many open invitations as it may: withdraw some in the panel, or wait.',
};

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('who signs in to a merchant');
  member
    .command('invite <email>')
    .description(
      'send an invitation: whoever has the mailbox becomes a member with this role; it works once, for 7 days',
    )
    .requiredOption('--merchant <merchant>', 'by its e-mail, its id, or the id of one of its accounts')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('owner'))
    .addOption(new Option('--language <language>', 'of the message').choices(languages).default('pt-BR'))
    .option('--json', 'answer in JSON')
    .action(async (text: string, { merchant: which, role, language, json }: InviteOptions) => {
      const email = readAddress(text);
      const by = merchantBy(which);
      const merchant = await withContext((context) => invite(context, by, { email, role, language }));
      print(json, { merchant_id: merchant.id, email, role }, () => [
        `Invited ${email} to ${merchant.name}; the running service sends the message.`,
      ]);
    });
  member
    .command('sign-out <email>')
    .description('end their sessions in every browser now, for whoever lost a computer; they can sign in again')
    .option('--json', 'answer in JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const email = readAddress(text);
      const ended = await withContext((context) => signOutMember(context, email));
      if (ended === null) throw new CommandError(UNKNOWN);
      print(json, { email, ended }, () => [
        `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${email}. A password that others may know is changed at /senha.`,
      ]);
    });
  member
    .command('reset <email>')
    .description(
      'take the second factor from a person who has lost it, end their sessions, and let them send no money for a day; all members are notified',
    )
    .requiredOption(
      '--reason <text>',
      'how you know that it is they who ask, for the audit',
      reasonUpTo(OPERATOR_REASON_LENGTH_MAX),
    )
    .option('--json', 'answer in JSON')
    .action(async (text: string, { reason, json }: { reason: string; json?: boolean }) => {
      const email = readAddress(text);
      const reset = await withContext((context) => resetMember(context, { email, reason }));
      if (reset === null) throw new CommandError(UNKNOWN);
      if (!reset) {
        throw new CommandError(
          'They have no second factor: they sign in by their password, and get a new one at /senha.',
        );
      }
      print(json, { email, reset: true }, () => [
        `${email} signs in by their password alone, and sets up a second factor again after a day.`,
      ]);
    });
}

type MerchantBy = Parameters<typeof findMerchant>[1];

/** Reads how a merchant was named. Throws CommandError for what names none. */
function merchantBy(which: string): MerchantBy {
  if (isUuid(which)) return { id: which };
  const email = parseEmail(which);
  if (email === null) throw new CommandError(UNKNOWN_MERCHANT);
  return { email };
}

/** Invites an address to a merchant. Throws CommandError. */
export async function invite(
  context: CommandContext,
  by: MerchantBy,
  person: { email: string; role: Role; language: Language },
) {
  const merchant = await findMerchant(context.db, by);
  if (!merchant) throw new CommandError(UNKNOWN_MERCHANT);
  await inviteMember(context, { merchantId: merchant.id, ...person, by: null }).catch((error: unknown) => {
    const reason = error instanceof DomainError && REASONS[error.code];
    throw reason ? new CommandError(reason) : error;
  });
  return merchant;
}
