import { type Command, InvalidArgumentError } from 'commander';
import { toDecimal } from '#domain/values/money.ts';
import {
  getReview,
  listAllReviews,
  type OpenReview,
  RESOLUTIONS,
  type Resolution,
  type ReviewDecision,
  resolveReview,
  waitingCentavos,
} from '#services/reviews/resolve-review.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';
import { readReason } from './read-reason.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';

const UNKNOWN = 'There is no such review: "review list" shows those that wait for a decision.';

const PROBLEMS: Problems<ReviewDecision> = {
  unknown: UNKNOWN,
  decided: 'This review is resolved, or its money is on its way back: "review show" says which.',
  changed: 'Its charge has changed just now: try again.',
  not_possible: 'That can’t be decided about this review: "review show" says what can.',
  too_little: 'The payment is not enough for the charge’s fee and split: return it.',
};

/** Adds the commands of reviews: list, show, resolve. */
export function addReviewCommands(program: Command): void {
  const review = program.command('review').description('money that was not booked as asked, and waits for a decision');
  review
    .command('list')
    .description('reviews that wait for a decision, oldest first')
    .option('--all', 'resolved ones too, newest first')
    .option('--json', 'answer in JSON')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const reviews = await withContext((context) => listAllReviews(context, { waiting: !all }));
      print(json, reviews.map(present), () =>
        reviews.length === 0
          ? [all ? 'Nothing was ever in review.' : 'No review waits for a decision.']
          : reviews.map(
              (one) =>
                `${one.id}  ${one.createdAt.toISOString()}  ${one.type.padEnd(10)}  ${toDecimal(waitingCentavos(one)).padStart(10)}  ${one.reason.padEnd(22)}  ${stateOf(one).padEnd(9)}  ${one.merchantName}${one.contestedAs === null ? '' : '  contested (MED)'}`,
            ),
      );
    });
  review
    .command('show <review>')
    .description('what was received, why it waits, and what can be decided')
    .option('--json', 'answer in JSON')
    .action(async (typed: string, { json }: { json?: boolean }) => {
      const id = asId('review', typed);
      const found = await withContext((context) => getReview(context, id));
      if (!found) throw new CommandError(UNKNOWN);
      const answer = present(found);
      print(json, answer, () => Object.entries(answer).map(([name, value]) => `${name.padEnd(20)} ${value ?? '-'}`));
    });
  review
    .command('resolve <review> <resolution>')
    .description(`${RESOLUTIONS.join(', ')}: "review show" says which of them fit`)
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, typed: string, { reason, json }: { reason: string; json?: boolean }) => {
      const resolution = readResolution(typed);
      const id = asId('review', typedId);
      const outcome = await withContext(async (context) => {
        const by = byOperator(context.operator);
        return rejectProblem(await resolveReview(context, { id, resolution, reason, by }), PROBLEMS);
      });
      print(json, { id, resolution, outcome }, () => [
        outcome === 'returning'
          ? `The payment is on its way back; review ${id} ends when it has arrived.`
          : `Review ${id} is resolved: ${resolution}.`,
      ]);
    });
}

function readResolution(text: string): Resolution {
  const found = RESOLUTIONS.find((one) => one === text.replace('-', '_'));
  if (!found) throw new InvalidArgumentError(`Choose one of: ${RESOLUTIONS.join(', ')}.`);
  return found;
}

const stateOf = (one: OpenReview): string => one.resolution ?? (one.isReturning ? 'returning' : 'open');

const present = (one: OpenReview) => ({
  id: one.id,
  transaction_id: one.transactionId,
  account_id: one.accountId,
  merchant: one.merchantName,
  mode: one.mode,
  type: one.type,
  status: one.status,
  reason: one.reason,
  expected: toDecimal(one.expectedCentavos),
  received: toDecimal(one.receivedCentavos),
  returned: toDecimal(one.returnedCentavos),
  end_to_end_id: one.endToEndId,
  contested_as: one.contestedAs,
  created_at: one.createdAt.toISOString(),
  state: stateOf(one),
  can_be: one.resolutions.join(', '),
  resolution_reason: one.resolutionReason,
  resolved_by: one.resolvedBy,
  resolved_at: one.resolvedAt?.toISOString() ?? null,
});
