import { type ClosedRail, closeRail, listClosedRails, openRail } from '#db/rails/closed-rails.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

type RailDeps = Pick<Deps, 'db' | 'clock'> & Required<Pick<AsOperator, 'operator'>> & AsOperator;

/**
 * Turns a rail off for every account, or on again (`reason` null), in every process at once. While
 * it is off, no new request over it is accepted. Earlier ones go on: payments are credited,
 * withdrawals that hold money are sent, refunds are made. Returns false when the rail was in that
 * state already.
 */
export async function switchRail(
  deps: RailDeps,
  { rail, reason }: { rail: TransactionType; reason: string | null },
): Promise<boolean> {
  const { db, clock, operator } = deps;
  const entry = (action: string, details: { reason?: string }) =>
    operatorEntry(deps, INSTALLATION, action, { subject: rail, ...details });
  return reason === null
    ? openRail(db, rail, entry('rail.opened', {}))
    : closeRail(db, { rail, reason, closedBy: operator, closedAt: clock() }, entry('rail.closed', { reason }));
}

export type RailState = { rail: TransactionType; closed: Omit<ClosedRail, 'rail'> | null };

/** Every rail, and since when, why and by whom it is off. */
export async function listRails({ db }: Pick<Deps, 'db'>): Promise<RailState[]> {
  const closed = new Map((await listClosedRails(db)).map(({ rail, ...rest }) => [rail, rest]));
  return TRANSACTION_TYPES.map((rail) => ({ rail, closed: closed.get(rail) ?? null }));
}
