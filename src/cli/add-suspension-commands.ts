import type { Command } from 'commander';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { reasonUpTo } from './read-reason.ts';

/** Adds `trilho account suspend` and `resume`, below `account`. */
export function addSuspensionCommands(account: Command): void {
  account
    .command('suspend <accountId>')
    .description('reject its keys, and let no money leave, at once; it goes on receiving, and its members can read')
    .requiredOption('--reason <text>', 'why; its members read it', reasonUpTo(OPERATOR_REASON_LENGTH_MAX))
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { reason, json }: { reason: string; json?: boolean }) => {
      const accountId = asId('account', typedId);
      const suspended = await withContext((context) => suspendAccount(context, { accountId, reason }));
      if (suspended === null) throw unknown();
      print(json, { account_id: accountId, suspended: true }, () => [
        suspended ? `Suspended ${accountId}.` : `${accountId} was suspended before.`,
      ]);
    });
  account
    .command('resume <accountId>')
    .description('end a suspension')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: { json?: boolean }) => {
      const accountId = asId('account', typedId);
      const resumed = await withContext((context) => resumeAccount(context, accountId));
      if (resumed === null) throw unknown();
      print(json, { account_id: accountId, suspended: false }, () => [
        resumed ? `Resumed ${accountId}.` : `${accountId} was not suspended.`,
      ]);
    });
}

const unknown = () => new CommandError('There is no account with this id: "account list" shows them all.');
