import type { Command } from 'commander';
import {
  createOperator,
  currentOperatorCode,
  disableOperator,
  listAllOperators,
  type OperatorLogin,
  resetOperator,
} from '#services/operators/manage-operators.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readAddress } from './read-address.ts';
import { NAME_LENGTH_MAX, readNameUpTo } from './read-name-up-to.ts';

type Options = { json?: boolean };

const UNKNOWN = 'There is no operator with this e-mail: "operator list" shows them all.';

/** Adds the commands of who runs this installation in the browser: create, list, reset, disable. */
export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('who signs in to the console at /operator');
  operator
    .command('create <email>')
    .description('make an operator; prints a password and an authenticator key, once')
    .requiredOption('--name <name>', 'what the audit and the others call them', readNameUpTo(NAME_LENGTH_MAX))
    .option('--json', 'answer in JSON')
    .action(async (text: string, { name, json }: Options & { name: string }) => {
      const email = readAddress(text);
      const { login, url } = await withContext(async (context) => ({
        login: await createOperator(context, { name, email }),
        url: context.settings.publicUrl,
      }));
      if (!login) throw new CommandError('This e-mail is an operator’s already: "operator reset" gives a new login.');
      printLogin(login, url, json);
    });
  operator
    .command('reset <email>')
    .description('a new password and authenticator key; ends their sessions, and enables one who was disabled')
    .option('--json', 'answer in JSON')
    .action(async (text: string, { json }: Options) => {
      const email = readAddress(text);
      const { login, url } = await withContext(async (context) => ({
        login: await resetOperator(context, email),
        url: context.settings.publicUrl,
      }));
      if (!login) throw new CommandError(UNKNOWN);
      printLogin(login, url, json);
    });
  operator
    .command('disable <email>')
    .description('end their sessions now; they begin no other until "operator reset"')
    .option('--json', 'answer in JSON')
    .action(async (text: string, { json }: Options) => {
      const email = readAddress(text);
      if (!(await withContext((context) => disableOperator(context, email)))) throw new CommandError(UNKNOWN);
      print(json, { email, disabled: true }, () => [`${email} signs in no more.`]);
    });
  operator
    .command('list')
    .description('all operators')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: Options) => {
      const operators = await withContext(listAllOperators);
      const shown = operators.map(({ id, name, email, disabledAt }) => ({
        id,
        name,
        email,
        disabled_at: disabledAt?.toISOString() ?? null,
      }));
      print(json, shown, () =>
        shown.length === 0
          ? ['There is no operator yet: "operator create" makes one.']
          : shown.map((one) => `${one.email}  ${one.name}${one.disabled_at ? '  disabled' : ''}`),
      );
    });
  operator
    .command('code <email>')
    .description('what their authenticator app shows now; for a demonstration, which has no telephone')
    .option('--json', 'answer in JSON')
    .action(async (text: string, { json }: Options) => {
      const email = readAddress(text);
      const code = await withContext(async (context) => {
        if (!context.settings.demo) throw new CommandError('Only a demonstration shows codes.');
        return currentOperatorCode(context, email);
      });
      if (code === null) throw new CommandError(UNKNOWN);
      print(json, { code }, () => [code]);
    });
}

function printLogin(login: OperatorLogin, publicUrl: string, json: boolean | undefined): void {
  const { operatorId, email, password, authenticatorKey, authenticatorUrl } = login;
  const answer = {
    operator_id: operatorId,
    email,
    password,
    authenticator_key: authenticatorKey,
    authenticator_url: authenticatorUrl,
  };
  print(json, answer, () => [
    `Console            ${publicUrl}/operator`,
    `E-mail             ${email}`,
    `Password           ${password}`,
    `Authenticator key  ${authenticatorKey}`,
    `or as a link       ${authenticatorUrl}`,
    'Both are shown this once.',
  ]);
}
