import { type Command, InvalidArgumentError } from 'commander';
import { KEY_NAME_LENGTH_MAX } from '#domain/api-keys/api-key-state.ts';
import { IP_RANGES_MAX, parseIpRange } from '#domain/api-keys/ip-allow-list.ts';
import { ALL_PERMISSIONS, forbiddenTogether, isPermission, type Permission } from '#domain/api-keys/permissions.ts';
import { createApiKey, revokeApiKey } from '#services/api-keys/manage-api-keys.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readInstant } from './read-instant.ts';
import { readNameUpTo } from './read-name-up-to.ts';

type CreateOptions = {
  account: string;
  name: string;
  permission: Permission[];
  ip: string[];
  expires?: Date;
  json?: boolean;
};

/** Without `mcp:withdraw`: only a member grants it, with a second factor, and says how much. */
const NAMES: readonly Permission[] = ALL_PERMISSIONS.filter((one) => one !== 'mcp:withdraw');

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys');
  key
    .command('create')
    .description('a further key of an account; shown this once. It may do what a first key may, unless named')
    .requiredOption('--account <id>', 'the account’s id')
    .option('--name <name>', 'what the key is for', readNameUpTo(KEY_NAME_LENGTH_MAX), 'API')
    .option('--permission <name>', `only this; repeatable. Names: ${NAMES.join(', ')}`, readPermission, [])
    .option('--ip <range>', 'only from this address or CIDR range; repeatable', readIpRange, [])
    .option('--expires <instant>', 'works until then, e.g. 2027-01-31T12:00:00Z', readInstant)
    .option('--json', 'answer in JSON')
    .action(create);
  key
    .command('revoke <key>')
    .description('revoke a key, named by its id or by itself, in every process within a second')
    .option('--json', 'answer in JSON')
    .action(revoke);
}

async function create({ account: typedId, name, permission, ip, expires, json }: CreateOptions): Promise<void> {
  const account = asId('account', typedId);
  const forbidden = forbiddenTogether(permission);
  if (forbidden.length > 0) throw new CommandError(`A key may not have ${forbidden.join(', ')} beside the others.`);
  const created = await withContext((context) => {
    if (expires && expires <= context.clock()) throw new CommandError('Give --expires an instant that is to come.');
    return createApiKey(context, {
      accountId: account,
      name,
      ...(permission.length > 0 && { permissions: permission }),
      allowedIps: ip,
      expiresAt: expires ?? null,
    });
  });
  if (!created) throw new CommandError('There is no account with this id: "account list" shows them all.');
  const answer = { key_id: created.keyId, account_id: account, mode: created.mode, api_key: created.apiKey };
  print(json, answer, () => [`key_id   ${answer.key_id}`, `api_key  ${answer.api_key}`]);
}

async function revoke(which: string, { json }: { json?: boolean }): Promise<void> {
  const revoked = await withContext((context) => revokeApiKey(context, which));
  if (!revoked) throw new CommandError('There is no such key.');
  print(json, { key_id: revoked.keyId, revoked: true }, () => [`Revoked ${revoked.keyId}.`]);
}

function readPermission(text: string, given: Permission[]): Permission[] {
  if (!isPermission(text) || !NAMES.includes(text))
    throw new InvalidArgumentError(`Permissions are ${NAMES.join(', ')}.`);
  return [...new Set([...given, text])];
}

function readIpRange(text: string, given: string[]): string[] {
  const range = parseIpRange(text);
  if (range === null) throw new InvalidArgumentError('Give an IP address or a CIDR range, e.g. 203.0.113.0/24.');
  if (given.length === IP_RANGES_MAX) throw new InvalidArgumentError(`A key has at most ${IP_RANGES_MAX} of them.`);
  return [...new Set([...given, range])];
}
