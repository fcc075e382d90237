import { type Command, InvalidArgumentError } from 'commander';
import { isSignUpPolicy, SIGN_UP_POLICIES, type SignUpPolicy } from '#domain/members/sign-up-policy.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { getSignUpPolicy, setSignUpPolicy } from '#services/members/sign-up-policy.ts';
import { listRails, switchRail } from '#services/rails/switch-rail.ts';
import { withContext } from './context.ts';
import { print } from './print.ts';
import { reasonUpTo } from './read-reason.ts';

/**
 * Adds the commands of the settings that hold for every account: which rails are on, and who may
 * open accounts.
 */
export function addInstallationCommands(program: Command): void {
  addRailCommands(program);
  program
    .command('sign-up [policy]')
    .description(
      'who may open accounts: open (anybody), invited (the operator, and merchants who may), closed (the operator); without a policy: which it is',
    )
    .option('--json', 'answer in JSON')
    .action(async (typed: string | undefined, { json }: { json?: boolean }) => {
      const wanted = typed === undefined ? null : readPolicy(typed);
      const policy = await withContext(async (context) => {
        if (wanted) await setSignUpPolicy(context, wanted);
        return getSignUpPolicy(context);
      });
      print(json, { sign_up: policy }, () => [`Sign-up: ${policy}.`]);
    });
}

function addRailCommands(program: Command): void {
  const rail = program.command('rail').description('rails of the whole installation');
  rail
    .command('off <rail>')
    .description(`let nothing new be asked for over a rail: ${TRANSACTION_TYPES.join(', ')}; what was goes on`)
    .requiredOption('--reason <text>', 'why; merchants read it', reasonUpTo(OPERATOR_REASON_LENGTH_MAX))
    .option('--json', 'answer in JSON')
    .action(async (typed: string, { reason, json }: { reason: string; json?: boolean }) => {
      const rail = readRail(typed);
      const changed = await withContext((context) => switchRail(context, { rail, reason }));
      print(json, { rail, on: false, changed }, () => [changed ? `${rail} is off.` : `${rail} was off before.`]);
    });
  rail
    .command('on <rail>')
    .description('end that')
    .option('--json', 'answer in JSON')
    .action(async (typed: string, { json }: { json?: boolean }) => {
      const rail = readRail(typed);
      const changed = await withContext((context) => switchRail(context, { rail, reason: null }));
      print(json, { rail, on: true, changed }, () => [changed ? `${rail} is on.` : `${rail} was not off.`]);
    });
  rail
    .command('list')
    .description('every rail, and why it is off')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const rails = (await withContext(listRails)).map(({ rail, closed }) => ({
        rail,
        on: closed === null,
        reason: closed?.reason ?? null,
        by: closed?.closedBy ?? null,
        since: closed?.closedAt.toISOString() ?? null,
      }));
      print(json, rails, () =>
        rails.map(
          ({ rail, on, since, by, reason }) =>
            `${rail.padEnd(10)}  ${on ? 'on' : `off since ${since} by ${by}: ${reason}`}`,
        ),
      );
    });
}

function readRail(text: string): TransactionType {
  const rail = TRANSACTION_TYPES.find((known) => known === text.replace('-', '_'));
  if (!rail) throw new InvalidArgumentError(`Choose one of: ${TRANSACTION_TYPES.join(', ')}.`);
  return rail;
}

function readPolicy(text: string): SignUpPolicy {
  if (!isSignUpPolicy(text)) throw new InvalidArgumentError(`Choose one of: ${SIGN_UP_POLICIES.join(', ')}.`);
  return text;
}
