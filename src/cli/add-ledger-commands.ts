import type { Command } from 'commander';
import { openDatabase } from '#db/connection/database.ts';
import { checkLedger, checkLedgerSince } from '#db/ledger/check-ledger.ts';
import { withContext } from './context.ts';
import { print } from './print.ts';

/** Adds the commands of the ledger: check. */
export function addLedgerCommands(program: Command): void {
  program
    .command('ledger')
    .description('the double-entry ledger')
    .command('check')
    .description('recompute balances and sums since the last check that found nothing; exit code 1 where one differs')
    .option('--full', 'prove everything, whatever was proved before')
    .option('--json', 'answer in JSON')
    .action(async ({ full, json }: { full?: boolean; json?: boolean }) => {
      const report = await withContext(({ db, ownerUrl, clock }) =>
        full ? checkLedger(db.pool) : checkAsOwner(ownerUrl, clock()),
      );
      const balanced = report.discrepancies.length === 0;
      print(json, { ok: balanced, ...report }, () => [
        ...report.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
        `${report.transfers} transfers, ${report.entries} entries, ${report.accounts} ledger accounts${report.since ? `, since ${report.since.toISOString()}` : ''}: ${balanced ? 'balanced' : 'NOT balanced'}.`,
      ]);
      if (!balanced) process.exitCode = 1;
    });
}

/** Only the owner of the tables may say what is proved. */
async function checkAsOwner(ownerUrl: string, now: Date) {
  const owner = openDatabase(ownerUrl, { max: CONNECTIONS });
  try {
    return await checkLedgerSince(owner.pool, now);
  } finally {
    await owner.close();
  }
}

/** One query after the other. */
const CONNECTIONS = 1;
