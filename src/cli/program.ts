import { Command, Help, type Option } from 'commander';
import { findDemoLogin, seedDemo } from '#demo/seed-demo.ts';
import { seedDemoOperator } from '#demo/seed-demo-operator.ts';
import { addAccountCommands } from './add-account-commands.ts';
import { addBackupCommands } from './add-backup-commands.ts';
import { addCallbackCommands } from './add-callback-commands.ts';
import { addClockCommands } from './add-clock-commands.ts';
import { addCustomerCommands } from './add-customer-commands.ts';
import { addDeveloperCommands } from './add-developer-commands.ts';
import { addDisputeCommands } from './add-dispute-commands.ts';
import { addInstallationCommands } from './add-installation-commands.ts';
import { addKeyCommands } from './add-key-commands.ts';
import { addKycCommands } from './add-kyc-commands.ts';
import { addLedgerCommands } from './add-ledger-commands.ts';
import { addMailCommands } from './add-mail-commands.ts';
import { addMasterKeyCommands } from './add-master-key-commands.ts';
import { addOperationCommands } from './add-operation-commands.ts';
import { addOperatorCommands } from './add-operator-commands.ts';
import { addPspCommands } from './add-psp-commands.ts';
import { addQueueCommands } from './add-queue-commands.ts';
import { addReconcileCommand } from './add-reconcile-command.ts';
import { addReviewCommands } from './add-review-commands.ts';
import { addSandboxCommands } from './add-sandbox-commands.ts';
import { addUnmatchedCommands } from './add-unmatched-commands.ts';
import { addUpgradeCommands } from './add-upgrade-commands.ts';
import { CommandError, withContext } from './context.ts';
import { addMemberCommands } from './member.ts';
import { print } from './print.ts';

/** Commander's own text says of no option that a command is rejected without it. */
const optionDescription = (option: Option): string =>
  new Help().optionDescription(option) + (option.mandatory ? ' (required)' : '');

/** Every command of the operator's command line, ready to read what was typed. */
export function createProgram(): Command {
  const program = new Command('trilho')
    .description(
      'The operator’s command line of this Trilho installation: works beside a running service, or without one. listen and trigger are for those who integrate with one.',
    )
    .configureHelp({ showGlobalOptions: true, optionDescription });

  addAccountCommands(program);
  addInstallationCommands(program);
  addKycCommands(program);
  addKeyCommands(program);
  addMasterKeyCommands(program);
  addMemberCommands(program);
  addOperatorCommands(program);
  addPspCommands(program);
  addDeveloperCommands(program);
  addSandboxCommands(program);
  addClockCommands(program);
  addLedgerCommands(program);
  addUnmatchedCommands(program);
  addOperationCommands(program);
  addReviewCommands(program);
  addDisputeCommands(program);
  addCustomerCommands(program);
  addReconcileCommand(program);
  addQueueCommands(program);
  addCallbackCommands(program);
  addMailCommands(program);
  addBackupCommands(program);
  addUpgradeCommands(program);

  program
    .command('demo')
    .description('the demo merchant’s login, the API key of its test account, and the operator’s login')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const demo = await withContext(async (context) => {
        const login = await (context.settings.demo ? seedDemo(context) : findDemoLogin(context));
        return login && { ...login, operator: await seedDemoOperator(context) };
      });
      if (!demo) throw new CommandError('This installation is no demo: open an account with "account create".');
      const { operator, ...login } = demo;
      const lines = [
        ...Object.entries(login),
        ...Object.entries(operator).map(([name, value]) => [`operator ${name}`, value]),
      ];
      print(json, demo, () => lines.map(([name = '', value]) => `${name.padEnd(26)} ${value}`));
    });
  return program;
}
