import type { Command } from 'commander';
import { openDatabase } from '#db/connection/database.ts';
import { checkLedger, checkLedgerSince, type LedgerReport } from '#db/ledger/check-ledger.ts';
import { saveLedgerCheck } from '#db/ledger/ledger-check-results.ts';
import { getSigningKey } from '#services/ledger/signing-key.ts';
import { type CommandContext, withContext } from './context.ts';
import { counted } from './counted.ts';
import { showProofKey, verifyProofFile, writeProofFile } from './ledger-proof.ts';
import { print } from './print.ts';

/** Adds the commands of the ledger: check, proof, verify, key. */
export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('the double-entry ledger');
  ledger
    .command('check')
    .description(
      'recompute balances, sums and the audit’s chains since the last check that found nothing; exit code 1 where one differs',
    )
    .option('--full', 'prove everything, whatever was proved before')
    .option('--json', 'answer in JSON')
    .action(check);
  ledger
    .command('proof <accountId>')
    .description('write the proof of an account’s entries up to the end of a day to a file; docs/ledger-proof.md')
    .option('--at <day>', 'such as 2026-11-22; default: the last day that has a signed head')
    .option('--file <path>', 'default: trilho-proof-DAY.json in this folder')
    .option('--json', 'answer in JSON')
    .action(writeProofFile);
  ledger
    .command('verify <file>')
    .description(
      'check the file of a proof, without the database; exit code 1 and the first part that is not as it was sealed',
    )
    .option('--key <key>', 'the public key that it has to be signed with')
    .option('--json', 'answer in JSON')
    .action(verifyProofFile);
  ledger
    .command('key')
    .description('the public key that the heads of the ledger proof are signed with: give it to your merchants')
    .option('--json', 'answer in JSON')
    .action(showProofKey);
}

async function check({ full = false, json }: { full?: boolean; json?: boolean }): Promise<void> {
  const report = await withContext((context) => checkAsOwner(context, full));
  const balanced = report.discrepancies.length === 0;
  print(json, { ok: balanced, ...report }, () => [
    ...report.discrepancies.map(({ rule, detail }) => `DISCREPANCY: ${rule}: ${detail}`),
    `${counted(report.transfers, 'transfer')}, ${counted(report.entries, 'entry', 'entries')}, ${counted(report.accounts, 'ledger account')}${report.since ? `, since ${report.since.toISOString()}` : ''}: ${balanced ? 'balanced' : 'NOT balanced'}.`,
  ]);
  if (!balanced) process.exitCode = 1;
}

/**
 * Checks the ledger and saves the result as the owner of the tables: no other role may write what
 * was proved and found.
 */
async function checkAsOwner(context: CommandContext, full: boolean): Promise<LedgerReport> {
  const { publicKey } = await getSigningKey(context);
  const now = context.clock();
  const owner = openDatabase(context.ownerUrl, { max: CONNECTIONS });
  try {
    const report = full
      ? await checkLedger(context.db.pool, { publicKey })
      : await checkLedgerSince(owner.pool, now, { publicKey });
    await saveLedgerCheck(owner.pool, full ? 'full' : 'since', report, now);
    return report;
  } finally {
    await owner.close();
  }
}

/** Its queries run one after the other. */
const CONNECTIONS = 1;
