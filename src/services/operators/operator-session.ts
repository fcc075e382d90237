import { endOperatorSession, findSignedInOperator, type SignedInOperator } from '#db/operators/operators.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';

export type { SignedInOperator } from '#db/operators/operators.ts';

/** How long a code counts for acts that ask for one. */
const FRESH_MS = 5 * 60_000;

/** Who has signed in with a session's token; null for one that is unknown or over. */
export const findOperatorOf = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<SignedInOperator | null> => findSignedInOperator(db, token, clock());

/** Passes when the operator typed a code within the last minutes. Errors: confirmation_required. */
export function demandFreshCode({ confirmedAt }: SignedInOperator, now: Date): void {
  if (now.getTime() - confirmedAt.getTime() <= FRESH_MS) return;
  throw new DomainError('confirmation_required', { params: { factor: 'second_factor' } });
}

export const endSessionOfOperator = ({ db }: Pick<Deps, 'db'>, { sessionId }: SignedInOperator): Promise<void> =>
  endOperatorSession(db, sessionId);
