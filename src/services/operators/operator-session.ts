import { endOperatorSession, findSignedInOperator, type SignedInOperator } from '#db/operators/operators.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';

export type { SignedInOperator } from '#db/operators/operators.ts';

/** How long a typed code suffices for sensitive acts. */
const FRESH_MS = 5 * 60_000;

/** The operator of a session by its token; null when it is unknown or has ended. */
export const findOperatorOf = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<SignedInOperator | null> => findSignedInOperator(db, token, clock());

/** Throws unless the operator typed a code within FRESH_MS. Errors: confirmation_required. */
export function demandFreshCode({ confirmedAt }: SignedInOperator, now: Date): void {
  if (now.getTime() - confirmedAt.getTime() <= FRESH_MS) return;
  throw new DomainError('confirmation_required', { params: { factor: 'second_factor' } });
}

export const endSessionOfOperator = ({ db }: Pick<Deps, 'db'>, { sessionId }: SignedInOperator): Promise<void> =>
  endOperatorSession(db, sessionId);
