import type { Command } from 'commander';
import { explained, readPassphrase } from './backup-input.ts';
import { checkUpgrade } from './check-upgrade.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';

type Options = { backup?: string; passphraseFile?: string; json?: boolean };

/** With them the operator, a supervisor or a closed terminal ends the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const report = await withoutInterruption((signal) =>
    withContext(
      (context) =>
        explained(
          checkUpgrade(context, {
            file,
            passphrase,
            signal,
            onProgress: (message) => console.error(`  ${message}`),
          }),
        ),
      'nothing',
    ),
  );
  const { at, tables, migrated, migrationMs, ledger } = report;
  const balanced = ledger.discrepancies.length === 0;
  print(json, { ok: balanced, ...report }, () => [
    ...ledger.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
    `${balanced ? 'Yes' : 'NO'}: ${tables} tables as they were at ${at.toISOString()}, ` +
      `${migrated.length} migrations${migrated.length > 0 ? ` (${migrated.join(', ')}) in ${migrationMs} ms` : ''}, ` +
      `${ledger.transfers} transfers ${balanced ? 'balanced' : 'NOT balanced'}. Nothing was changed here.`,
  ]);
  if (!balanced) process.exitCode = 1;
}

/** What is begun is ended in order by the first signal, and at once by the second one. */
async function withoutInterruption<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError('Interrupted: nothing was changed, and nothing is left behind.');
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
