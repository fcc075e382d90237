import type { Command } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { explained, isFolder, readPassphrase } from './backup-input.ts';
import { checkUpgrade } from './check-upgrade.ts';
import { CommandError, openOwnSecretBox, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { withoutInterruption } from './without-interruption.ts';

type Options = { backup?: string; passphraseFile?: string; json?: boolean };

/** Adds the commands of upgrades: upgrade. */
export function addUpgradeCommands(program: Command): void {
  program
    .command('upgrade')
    .description('whether the database can be brought to this version; exit code 1 where it can’t')
    .requiredOption('--check', 'try it with a copy of the database in a server of its own, which is removed afterwards')
    .option('--backup <file>', 'try it with this backup instead of the database')
    .option('--passphrase-file <path>', 'where that is sealed with a passphrase: a file whose first line is it')
    .option('--json', 'answer in JSON')
    .action(upgrade);
}

async function upgrade({ backup: file, passphraseFile, json }: Options): Promise<void> {
  const passphrase = readPassphrase(passphraseFile);
  if (file !== undefined && isFolder(file)) throw new CommandError(`${file} is a folder: give the file of a backup.`);
  const onProgress = (message: string) => console.error(`  ${message}`);
  const report = await withoutInterruption((signal) => {
    const options = { passphrase, signal, onProgress };
    if (file === undefined)
      return withContext((context) => explained(checkUpgrade(context, { ...options, from: context.db })), 'nothing');
    const env = processEnvironment();
    const parts = { env, secretBox: openOwnSecretBox(env, 'backup'), clock: () => new Date() };
    return explained(checkUpgrade(parts, { ...options, from: file }));
  });
  const { at, tables, migrated, migrationMs, ledger } = report;
  const balanced = ledger.discrepancies.length === 0;
  print(json, { ok: balanced, ...report }, () => [
    ...ledger.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
    `${balanced ? 'Yes' : 'NO'}: ${tables} tables as they were at ${at.toISOString()}, ` +
      `${migrated.length} migrations${migrated.length > 0 ? ` (${migrated.join(', ')}) in ${migrationMs} ms` : ''}, ` +
      `${counted(ledger.transfers, 'transfer')} ${balanced ? 'balanced' : 'NOT balanced'}. Nothing was changed here.`,
  ]);
  if (!balanced) process.exitCode = 1;
}
