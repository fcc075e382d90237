import type { Command } from 'commander';
import { parseEmail } from '#domain/values/contact.ts';
import { isUuid } from '#domain/values/uuid.ts';
import {
  approveVerification,
  findVerification,
  listVerifications,
  type OpenCase,
  openDocuments,
  rejectVerification,
} from '#services/kyc/decide-verification.ts';
import { type CommandContext, CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readReason } from './read-reason.ts';
import { writeFiles } from './write-files.ts';

type JsonOption = { json?: boolean };

export function addKycCommands(program: Command): void {
  const kyc = program.command('kyc').description('merchants’ verifications');
  kyc
    .command('list')
    .description('verifications that wait for a decision, oldest first')
    .option('--all', 'decided ones too, newest first')
    .option('--json', 'answer in JSON')
    .action(async ({ all, json }: JsonOption & { all?: boolean }) => {
      const cases = await withContext((context) => listVerifications(context, { waiting: !all }));
      const answer = cases.map(({ sealed: _, ...shown }) => present(shown));
      print(json, answer, () =>
        answer.length === 0
          ? [all ? 'Nobody has asked to be verified yet.' : 'No verification waits for a decision.']
          : answer.map(
              (one) =>
                `${one.id}  ${one.submitted_at}  ${one.decision.padEnd(9)}  ${one.kind.padEnd(7)}  ${one.merchant} <${one.email}>`,
            ),
      );
    });
  kyc
    .command('show <verification>')
    .description('what was typed; a verification by its id, or the newest of a merchant by its e-mail')
    .option('--json', 'answer in JSON')
    .action(async (which: string, { json }: JsonOption) => {
      const found = await withCase(which, async (_context, verification) => verification);
      const { sealed: _, form, ...shown } = found;
      const { kind: __, ...typed } = form;
      const answer = { ...present(shown), merchant_document: found.merchant.document, form: typed };
      const { form: ___, ...fields } = answer;
      print(json, answer, () => [
        ...lines(fields),
        '',
        ...lines(typed),
        '',
        `Documents: trilho kyc documents ${found.id} --to FOLDER`,
      ]);
    });
  kyc
    .command('documents <verification>')
    .description('write the documents into a folder, to look at them; delete it afterwards')
    .requiredOption('--to <folder>', 'is made, readable by you only; no file in it is overwritten')
    .option('--json', 'answer in JSON')
    .action(async (which: string, { to, json }: JsonOption & { to: string }) => {
      const files = await withCase(which, (context, verification) => writeDocuments(context, verification, to));
      print(json, files, () =>
        files.map(({ path, kind, file_name }) => `${path}  ${kind.padEnd(8)}  sent as "${file_name}"`),
      );
    });
  kyc
    .command('approve <verification>')
    .description('approve it; the merchant may withdraw at once, in every process')
    .option('--json', 'answer in JSON')
    .action((which: string, { json }: JsonOption) => decide(which, 'approved', json, approveVerification));
  kyc
    .command('reject <verification>')
    .description('reject it; the merchant reads why, mends it and hands it in again')
    .requiredOption('--reason <text>', 'what has to be mended, in the merchant’s language', readReason)
    .option('--json', 'answer in JSON')
    .action((which: string, { reason, json }: JsonOption & { reason: string }) =>
      decide(which, 'rejected', json, (context, verification) => rejectVerification(context, verification, reason)),
    );
}

const UNKNOWN = 'There is no such verification: "kyc list --all" shows them all.';

/** Runs `act` with the verification that was named. Throws CommandError where there is none. */
async function withCase<T>(
  which: string,
  act: (context: CommandContext, verification: OpenCase) => Promise<T>,
): Promise<T> {
  if (!isUuid(which) && parseEmail(which) === null) throw new CommandError(UNKNOWN);
  return withContext(async (context) => {
    const found = await findVerification(context, which);
    if (!found) throw new CommandError(UNKNOWN);
    return act(context, found);
  });
}

async function decide(
  which: string,
  decision: 'approved' | 'rejected',
  json: boolean | undefined,
  act: (context: CommandContext, verification: OpenCase) => Promise<boolean>,
): Promise<void> {
  const decided = await withCase(which, async (context, verification) => {
    if (!(await act(context, verification))) throw new CommandError('This verification was decided before.');
    return verification;
  });
  const { merchantId: merchant_id, id } = decided;
  print(json, { id, merchant_id, decision }, () => [
    `${decision === 'approved' ? 'Approved' : 'Rejected'} ${id} of ${decided.merchant.name}.`,
  ]);
}

async function writeDocuments(context: CommandContext, verification: OpenCase, folder: string) {
  const written = await writeFiles(named(openDocuments(context, verification)), folder);
  return written.map(({ path, kind, fileName, bytes }) => ({ path, kind, file_name: fileName, bytes }));
}

async function* named<D extends { kind: string }>(documents: AsyncIterable<D>): AsyncGenerator<D & { name: string }> {
  for await (const document of documents) yield { ...document, name: document.kind };
}

const present = (one: Omit<OpenCase, 'sealed' | 'form'>) => ({
  id: one.id,
  merchant_id: one.merchantId,
  merchant: one.merchant.name,
  email: one.merchant.email,
  kind: one.kind,
  decision: one.decision,
  reason: one.reason,
  submitted_at: one.submittedAt.toISOString(),
  decided_at: one.decidedAt?.toISOString() ?? null,
});

const lines = (fields: Record<string, string | null>): string[] =>
  Object.entries(fields).map(([name, value]) => `${name.padEnd(20)} ${value ?? '-'}`);
