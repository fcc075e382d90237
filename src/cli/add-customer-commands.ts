import type { Command } from 'commander';
import { DomainError } from '#domain/errors/domain-error.ts';
import { operatorEntry } from '#services/audit/record-audit.ts';
import { type ErasurePlan, eraseCustomer, planErasure } from '#services/customers/erase-customer.ts';
import { exportCustomer } from '#services/customers/export-customer.ts';
import { getMerchantIdOf } from '#services/members/list-security.ts';
import { asId } from './as-id.ts';
import { type CommandContext, CommandError, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { readReason } from './read-reason.ts';
import { writeNewFile } from './write-new-file.ts';

type JsonOption = { json?: boolean };
/**
 * A customer is named by an account and any of their transactions there: a document would stay in
 * the shell's history.
 */
type Which = { accountId: string; customerId: string };

/**
 * Adds the commands for requests of payers about their own data (docs/privacy.md): export, erase.
 */
export function addCustomerCommands(program: Command): void {
  const customer = program.command('customer').description('payers’ personal data, at their request');
  customer
    .command('export <account> <transaction>')
    .description('write everything that an account has about the person of a transaction into a file')
    .requiredOption('--to <file>', 'is made, readable by you only; JSON')
    .option('--json', 'answer in JSON')
    .action(async (account: string, transaction: string, { to, json }: JsonOption & { to: string }) => {
      const which = whichOf(account, transaction);
      const { accountId, customerId } = which;
      const count = await withCustomer(which, async (context, merchantId) => {
        const { transactions, text } = await exportCustomer(context, accountId, {
          ...{ customerId, max: null },
          entryOf: (...act) => operatorEntry(context, { merchantId, accountId }, ...act),
        });
        await writeNew(to, text);
        return transactions;
      });
      print(json, { file: to, transactions: count }, () => [`In ${to}: ${counted(count, 'transaction')}.`]);
    });
  customer
    .command('erase <account> <transaction>')
    .description('erase who the person of a transaction is, in all of their transactions that need not be kept')
    .option('--reason <text>', 'why, without anything of the person: the audit keeps it for ever', readReason)
    .option('--dry-run', 'only say what may be erased now, and what from which day on')
    .option('--json', 'answer in JSON')
    .action(
      async (
        account: string,
        transaction: string,
        { reason, dryRun, json }: JsonOption & { reason?: string; dryRun?: true },
      ) => {
        const which = whichOf(account, transaction);
        const { accountId, customerId } = which;
        if ((dryRun ?? false) === (reason !== undefined))
          throw new CommandError('Say why, --reason "Protocolo 123", or only look with --dry-run.');
        const done = await withCustomer(which, async (context, merchantId) => {
          if (reason === undefined) return { ...(await planErasure(context, accountId, customerId)), erased: 0 };
          return eraseCustomer(context, accountId, {
            ...{ customerId, reason },
            entryOf: (...act) => operatorEntry(context, { merchantId, accountId }, ...act),
          });
        });
        const { erased, erasable, retained } = done;
        print(json, { erased, erasable, retained }, () => [
          dryRun
            ? `May be erased now: ${counted(erasable, 'transaction')}.`
            : `Erased who paid ${counted(erased, 'transaction')}.`,
          ...kept({ erasable, retained }),
        ]);
      },
    );
}

const kept = ({ retained }: ErasurePlan): string[] =>
  retained.map(({ from, count }) => `Kept until ${from}: ${counted(count, 'transaction')}.`);

/** As the ids are kept: what is stored of a person is found by the account's. */
const whichOf = (account: string, transaction: string): Which => ({
  accountId: asId('account', account),
  customerId: asId('charge', transaction),
});

async function withCustomer<T>(
  { accountId, customerId }: Which,
  act: (context: CommandContext, merchantId: string) => Promise<T>,
): Promise<T> {
  try {
    return await withContext(async (context) => act(context, await getMerchantIdOf(context, accountId)));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'not_found') throw new CommandError('There is no such account: "account list" shows them.');
    if (error.code === 'customer_not_found')
      throw new CommandError(`Transaction ${customerId} is not of this account, or names nobody (any more).`);
    if (error.code === 'customer_retained')
      throw new CommandError(`Nothing may be erased before ${error.params?.from}: the law has it kept.`);
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeNewFile(path, [text]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${path} is there already.`);
    throw error;
  }
}
