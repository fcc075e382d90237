import { type Command, InvalidArgumentError } from 'commander';
import type { DisputeRow } from '#db/disputes/disputes.ts';
import {
  ANSWER_TEXT_LENGTH_MAX,
  DISPUTE_ANSWERS,
  DISPUTE_ENDS,
  DISPUTE_REASONS,
  type DisputeReason,
} from '#domain/disputes/dispute-states.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fromDecimal, toDecimal } from '#domain/values/money.ts';
import { endDispute, enterDispute, giveAnswer, listCases, listEndedCases } from '#services/disputes/manage-disputes.ts';
import { noteForwardedAnswer } from '#services/disputes/note-forwarded-answer.ts';
import { type EvidenceFile, openEvidence } from '#services/disputes/open-evidence.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { asId } from './as-id.ts';
import { type CommandContext, CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readInstant } from './read-instant.ts';
import { reasonUpTo } from './read-reason.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';
import { writeFiles } from './write-files.ts';

const PROBLEMS: Problems<string> = {
  unknown_charge: 'There is no charge of this id.',
  too_much: 'That is more than was paid, or nothing.',
  known: 'A case about this payment is open: "dispute list" shows it.',
  not_paid: 'This charge is not paid.',
  unknown: 'There is no such case: "dispute list" shows those that have not ended.',
  decided: 'This case waits for no answer any more, or has ended.',
  too_late: 'The time to answer is over.',
  not_answered: 'This case has no answer that is to be forwarded.',
};

/** As many ended disputes as one screen shows. */
const ENDED_MAX = 100;

/** Adds the commands of disputes (MED): list, open, answer, evidence, forwarded, close. */
export function addDisputeCommands(program: Command): void {
  const dispute = program.command('dispute').description('payments that their payers contest (MED)');
  dispute
    .command('list')
    .description('cases that have not ended, the one whose time ends first at first; or those that have, newest first')
    .option('--ended', 'those that have ended')
    .option('--json', 'answer in JSON')
    .action(async ({ ended, json }: { ended?: boolean; json?: boolean }) => {
      const cases = await withContext(async (context) =>
        ended ? (await listEndedCases(context, { before: null, limit: ENDED_MAX })).cases : listCases(context),
      );
      print(json, cases.map(present), () =>
        cases.length === 0
          ? [ended ? 'No case has ended.' : 'No case is open.']
          : cases.map(
              (one) =>
                `${one.id}  ${one.state.padEnd(8)}  ${toDecimal(one.centavos).padStart(10)}  held ${toDecimal(one.heldCentavos)}  ${endOf(one)}  charge ${one.transactionId}${sentTo(one)}`,
            ),
      );
    });
  dispute
    .command('open <charge>')
    .description('enter a case that the PSP has sent: its money is held, the merchant is notified')
    .requiredOption('--reason <reason>', `one of: ${DISPUTE_REASONS.join(', ')}`, oneOf(DISPUTE_REASONS))
    .option('--amount <reais>', 'what is contested, e.g. 12.34; all of it where left out', readCentavos)
    .option(
      '--answer-by <instant>',
      'until when the PSP takes an answer, e.g. 2026-11-25T18:00:00-03:00; two days where left out',
      readInstant,
    )
    .option('--json', 'answer in JSON')
    .action(
      async (
        typedCharge: string,
        options: { reason: DisputeReason; amount?: bigint; answerBy?: Date; json?: boolean },
      ) => {
        const { reason, amount = null, answerBy = null, json } = options;
        const chargeId = asId('charge', typedCharge);
        const outcome = await withContext((context) =>
          enterDispute(context, {
            chargeId,
            reason,
            centavos: amount,
            answerBy,
            by: byOperator(context.operator),
          }),
        );
        answer(json, { charge: chargeId, outcome }, `A case about charge ${chargeId} is open.`);
      },
    );
  dispute
    .command('answer <case> <answer>')
    .description(`what the merchant says to it: ${DISPUTE_ANSWERS.join(' or ')}`)
    .option('--text <text>', 'their words', reasonUpTo(ANSWER_TEXT_LENGTH_MAX))
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, typed: string, { text, json }: { text?: string; json?: boolean }) => {
      const id = asId('case', typedId);
      const given = oneOf(DISPUTE_ANSWERS)(typed);
      const outcome = await withContext((context) =>
        giveAnswer(context, {
          id,
          accountId: null,
          answer: given,
          text: text ?? null,
          by: byOperator(context.operator),
        }),
      );
      answer(json, { id, outcome }, `Case ${id} is answered: ${given}.`);
    });
  dispute
    .command('evidence <case>')
    .description('write what the merchant handed in with the answer into a folder, to forward it; delete it afterwards')
    .requiredOption('--to <folder>', 'is made, readable by you only; no file in it is overwritten')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { to, json }: { to: string; json?: boolean }) => {
      const id = asId('case', typedId);
      const files = await withContext((context) => writeEvidence(context, id, to));
      print(json, files, () =>
        files.length === 0
          ? ['Nothing was handed in.']
          : files.map(({ path, file_name }) => `${path}  sent as "${file_name}"`),
      );
    });
  dispute
    .command('forwarded <case>')
    .description('note that you have brought the answer to the PSP yourself')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: { json?: boolean }) => {
      const id = asId('case', typedId);
      const outcome = await withContext((context) =>
        noteForwardedAnswer(context, { id, by: byOperator(context.operator) }),
      );
      answer(json, { id, outcome }, `The answer to case ${id} is at the PSP.`);
    });
  dispute
    .command('close <case> <outcome>')
    .description(
      `how the PSP has decided: ${DISPUTE_ENDS.join(', ')}; what is lost stays held until it is taken, or decided otherwise`,
    )
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, typed: string, { json }: { json?: boolean }) => {
      const id = asId('case', typedId);
      const to = oneOf(DISPUTE_ENDS)(typed);
      const outcome = await withContext((context) => endDispute(context, { id, to, by: byOperator(context.operator) }));
      answer(json, { id, outcome, state: to }, `Case ${id} is ${to}.`);
    });
}

async function writeEvidence(context: CommandContext, id: string, folder: string) {
  try {
    const written = await writeFiles(named(openEvidence(context, id)), folder);
    return written.map(({ path, fileName, bytes }) => ({ path, file_name: fileName, bytes: bytes.length }));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'dispute_not_found') throw error;
    throw new CommandError(PROBLEMS.unknown ?? '');
  }
}

async function* named(files: AsyncIterable<EvidenceFile>) {
  for await (const file of files)
    yield { ...file, content: file.bytes, name: file.mediaType === 'text/plain' ? 'answer' : 'evidence' };
}

const endOf = ({ answerBy, closedAt, state }: DisputeRow) =>
  closedAt && state !== 'lost' ? `ended ${closedAt.toISOString()}` : `until ${answerBy.toISOString()}`;

/** The answer to a case and how far it has come; empty where there is none. */
function sentTo({ answer: given, providerId, answerSentAt, answerRejection }: DisputeRow): string {
  if (!given) return '';
  if (answerRejection !== null) return `  ${given}, not taken: ${answerRejection}`;
  if (answerSentAt) return `  ${given}, sent ${answerSentAt.toISOString()}`;
  return providerId === null ? `  ${given}, to be forwarded` : `  ${given}, on its way`;
}

function answer<T extends { outcome: string }>(json: boolean | undefined, said: T, line: string): void {
  rejectProblem(said.outcome, PROBLEMS);
  print(json, said, () => [line]);
}

const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((one) => one === text);
    if (!found) throw new InvalidArgumentError(`Choose one of: ${choices.join(', ')}.`);
    return found;
  };

function readCentavos(text: string): bigint {
  const centavos = fromDecimal(text);
  if (centavos === null || centavos <= 0n) throw new InvalidArgumentError('Give reais, e.g. 12.34.');
  return centavos;
}

const present = (one: DisputeRow) => ({
  id: one.id,
  account_id: one.accountId,
  transaction_id: one.transactionId,
  reason: one.reason,
  amount: toDecimal(one.centavos),
  held: toDecimal(one.heldCentavos),
  returned: toDecimal(one.returnedCentavos),
  state: one.state,
  opened_at: one.openedAt.toISOString(),
  answer_by: one.answerBy.toISOString(),
  answer: one.answer,
  answer_sent_at: one.answerSentAt?.toISOString() ?? null,
  answer_rejection: one.answerRejection,
  answered_by: one.answeredBy,
  closed_at: one.closedAt?.toISOString() ?? null,
});
