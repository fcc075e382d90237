import { CommandError } from './context.ts';

/** Why nothing was done, by the outcome of a decision, for the person at the keyboard. */
export type Problems<Outcome extends string> = Readonly<Partial<Record<Outcome, string>>>;

/** Ends the command with the words for an outcome that is a problem; gives the others back. */
export function rejectProblem<Outcome extends string>(outcome: Outcome, problems: Problems<Outcome>): Outcome {
  const problem = problems[outcome];
  if (problem !== undefined) throw new CommandError(problem);
  return outcome;
}
