import { CommandError } from './context.ts';

/** Why a decision was not carried out, by its outcome, for the person at the keyboard. */
export type Problems<Outcome extends string> = Readonly<Partial<Record<Outcome, string>>>;

/** Throws CommandError with the words for an outcome that is a problem; returns any other. */
export function rejectProblem<Outcome extends string>(outcome: Outcome, problems: Problems<Outcome>): Outcome {
  const problem = problems[outcome];
  if (problem !== undefined) throw new CommandError(problem);
  return outcome;
}
