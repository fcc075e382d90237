import type { Command } from 'commander';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { withContext } from './context.ts';
import { print } from './print.ts';

/** Adds the commands of the ledger: check. */
export function addLedgerCommands(program: Command): void {
  program
    .command('ledger')
    .description('the double-entry ledger')
    .command('check')
    .description('recompute every balance and every sum; exit code 1 where one differs')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await withContext(({ db }) => checkLedger(db.pool));
      const balanced = report.discrepancies.length === 0;
      print(json, { ok: balanced, ...report }, () => [
        ...report.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
        `${report.transfers} transfers, ${report.entries} entries, ${report.accounts} ledger accounts: ${balanced ? 'balanced' : 'NOT balanced'}.`,
      ]);
      if (!balanced) process.exitCode = 1;
    });
}
