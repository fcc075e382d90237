import { type Destination, findUsableFrom } from '#db/payees/payees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';

/**
 * Throws the error for an outcome that says that money may not go to its destination; returns for
 * every other outcome. Errors: not_a_payee, payee_waits (with `usable_from`).
 */
export async function rejectUnlessPayee(
  deps: Pick<Deps, 'db'>,
  outcome: string,
  accountId: string,
  destination: Destination,
): Promise<void> {
  if (outcome === 'not_a_payee') throw new DomainError('not_a_payee');
  if (outcome !== 'payee_waits') return;
  const usableFrom = await findUsableFrom(deps.db.pool, accountId, destination);
  // It was removed meanwhile.
  if (!usableFrom) throw new DomainError('not_a_payee');
  throw new DomainError('payee_waits', { extra: { usable_from: usableFrom.toISOString() } });
}
