import type { Command } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { writeMasterKeys } from '#config/master-keys.ts';
import { type KeyHolder, listKeyHolders, listMasterKeys, retireMasterKeys } from '#db/encryption/master-keys.ts';
import { addMasterKey, parseMasterKeys, promoteMasterKey, removeMasterKey } from '#domain/encryption/master-keys.ts';
import { getKeyStatus, type KeyState, type KeyStatus, retireUnneededKeys } from '#services/api-keys/key-status.ts';
import { rotateKeys } from '#services/encryption/rotate-keys.ts';
import { type CommandContext, CommandError, readOwnMasterKeys, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';

type JsonOption = { json?: boolean };

/** Adds the commands of the master keys, in the order of docs/key-rotation.md. */
export function addMasterKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('the master keys that secrets are sealed with: docs/key-rotation.md');
  keys
    .command('add')
    .description('a fresh key at the end of the list: it opens, and seals nothing before it is promoted')
    .option('--json', 'answer in JSON')
    .action(add);
  keys
    .command('promote <version>')
    .description('put a key in front, once every running process has it: what is new is sealed with it')
    .option('--json', 'answer in JSON')
    .action(promote);
  keys
    .command('rotate')
    .description('seal everything with the key in front, while the service runs; may be interrupted and run again')
    .option('--json', 'answer in JSON')
    .action(rotate);
  keys
    .command('status')
    .description('what every key is still needed for, and whether it can be taken away; reads every row')
    .option('--json', 'answer in JSON')
    .action(status);
  keys
    .command('remove <version>')
    .description('take a key away that nothing needs any more')
    .option('--json', 'answer in JSON')
    .action(remove);
}

async function add({ json }: JsonOption): Promise<void> {
  const env = processEnvironment();
  const own = readOwnMasterKeys(env);
  const used = await withContext(({ db }) => listMasterKeys(db), 'migrate');
  const list = addMasterKey(
    own,
    used.map((key) => key.version),
  );
  const version = parseMasterKeys(list).at(-1)?.version ?? '';
  if (env.masterKeys) {
    // The command can't change the variable: it prints what to append to it.
    const entry = list.slice(list.lastIndexOf(',') + 1);
    return print(json, { version, append: `,${entry}` }, () => [`Append this to MASTER_KEYS, everywhere: ,${entry}`]);
  }
  writeMasterKeys(env.home, { from: own, to: list });
  print(json, { version }, () => [`Added ${version} behind the key that seals. Restart the service.`]);
}

async function promote(version: string, { json }: JsonOption): Promise<void> {
  const env = ownList('put the key in front there');
  const own = readOwnMasterKeys(env);
  const list = promoteMasterKey(own, version);
  if (!list) throw new CommandError(`There is no key ${version}: "keys status" shows them all.`);
  const { processes, records } = await withContext(
    async ({ db }) => ({ processes: await listKeyHolders(db.pool), records: await listMasterKeys(db) }),
    'migrate',
  );
  if (records.find((key) => key.version === version)?.retiredAt)
    throw new CommandError(`${version} was taken out of use: "keys add" makes another key.`);
  const without = processes.filter(({ opens }) => !opens.includes(version));
  if (without.length > 0) {
    throw new CommandError(`Restart the service first: ${describe(without)} started before ${version} was added.`);
  }
  writeMasterKeys(env.home, { from: own, to: list });
  print(json, { version }, () => [`${version} is in front. Restart the service.`]);
}

async function rotate({ json }: JsonOption): Promise<void> {
  const { result, after, retired } = await withContext(async (context) => {
    const version = context.secretBox.versions[0];
    const behind = (await listKeyHolders(context.db.pool)).filter(({ seals }) => seals !== version);
    if (behind.length > 0) {
      throw new CommandError(`Restart the service first: ${describe(behind)} would go on sealing with another key.`);
    }
    const onProgress = ({ table, rows }: { table: string; rows: number }) =>
      console.error(`  ${table}: ${counted(rows, 'row')} sealed with ${version}`);
    const rotated = await rotateKeys(context, { onProgress });
    const status = await getKeyStatus(context);
    return { result: rotated, after: status, retired: await retireUnneededKeys(context, status) };
  });
  const errors = [
    ...result.unopened.map(({ column, row, reason }) => `ERROR: ${column} of ${row} can't be opened: ${reason}`),
    ...(result.busy > 0 ? [`ERROR: ${counted(result.busy, 'row')} in use all the time: run it again.`] : []),
    ...after.undeclared.map((column) => `ERROR: ${column} holds sealed values and is not in the registry.`),
  ];
  print(json, { rows: result.rows, unneeded: retired, errors }, () => [
    ...errors,
    `Sealed again: ${counted(result.rows, 'row')}.`,
    ...linesOf(after),
  ]);
  if (errors.length > 0) process.exitCode = 1;
}

async function status({ json }: JsonOption): Promise<void> {
  const found = await withContext((context) => getKeyStatus(context), 'migrate');
  print(json, found, () => linesOf(found));
}

async function remove(version: string, { json }: JsonOption): Promise<void> {
  const env = ownList('take the key out there, once "keys status" says that it can be taken away');
  const own = readOwnMasterKeys(env);
  const list = removeMasterKey(own, version);
  if (!list)
    throw new CommandError(`There is no key ${version} behind the one that seals: "keys status" shows them all.`);
  await withContext(async (context: CommandContext) => {
    const found = await getKeyStatus(context);
    const neededBy = found.keys.find((key) => key.version === version)?.neededBy;
    if (neededBy) throw new CommandError(`${version} is still needed: ${neededBy}.`);
    await retireMasterKeys(context.db, [version], context.clock());
  });
  writeMasterKeys(env.home, { from: own, to: list });
  print(json, { version }, () => [`${version} is taken away. Restart the service.`]);
}

/**
 * The environment, where the list is a file that the service wrote. Throws CommandError where the
 * list is in MASTER_KEYS, which only the operator changes.
 */
function ownList(advice: string) {
  const env = processEnvironment();
  if (env.masterKeys) throw new CommandError(`MASTER_KEYS is set in the environment: ${advice}, and restart.`);
  return env;
}

function linesOf({ keys, processes, undeclared }: KeyStatus): string[] {
  return [
    ...keys.map((key) => {
      const { version, use, values } = key;
      return `${version.padEnd(4)} ${use.padEnd(7)} ${String(values).padStart(9)} values  ${needOf(key)}`;
    }),
    ...undeclared.map((column) => `${column} holds sealed values and is not in the registry: report this.`),
    ...(processes.length > 0 ? [`running: ${describe(processes)}`] : []),
  ];
}

function needOf({ use, neededBy, retiredAt, isNewer }: KeyState): string {
  if (neededBy !== null) return `needed: ${neededBy}`;
  if (use === 'absent') return 'not needed';
  if (retiredAt !== null || !isNewer) return 'can be taken away';
  return 'not in use yet: it seals once it is in front';
}

const describe = (processes: readonly KeyHolder[]) =>
  processes
    .map(
      ({ pid, address, seals, opens }) =>
        `a process${address ? ` at ${address}` : ''}, database connection ${pid} (seals ${seals}, opens ${opens.join(' ')})`,
    )
    .join('; ');
