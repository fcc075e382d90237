import { type DayToReconcile, findMadeFrom, type ListedMovement } from '#db/reconciliation/run-reconciliation.ts';
import { BALANCE_KNOWN_MS } from '#domain/reconciliation/reconciliation-plan.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { CryptoOperation, CryptoRail } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';
import type { BooksPage, ProviderBooks, Run } from './provider-books.ts';

/** A crypto processor's books of a day in one currency: the operations that were made on it. */
export const processorBooks = (deps: Deps, rail: CryptoRail, day: DayToReconcile): ProviderBooks => ({
  async balance() {
    // The balance is compared with the previous reading, so it is not read for an old day.
    if (deps.clock().getTime() - day.endsAt.getTime() >= BALANCE_KNOWN_MS) return null;
    const said = await rail.balance(day.currency);
    return said.outcome === 'done' ? said.value : null;
  },
  readPage: (run) => readPage(deps, rail, day, run),
  nextOf: ({ step, page }, hasMore) => (hasMore ? { step, page: page + 1 } : null),
});

async function readPage(deps: Deps, rail: CryptoRail, day: DayToReconcile, run: Run): Promise<BooksPage> {
  // A payment may come days after its invoice was made, and be booked in this day all the same.
  const before = new Date(day.startsAt.getTime() - SWEEP_PLAN.operations_days.lengthMs);
  const from = await findMadeFrom(deps.db.pool, day, before);
  const listed = await rail.listOperations({ from, to: run.at, page: run.page, currency: day.currency });
  if (listed.outcome !== 'done') throw new ProviderUnavailable(listed.reason);
  const movements: ListedMovement[] = [];
  let { unreadable } = listed.value;
  for (const operation of listed.value.operations) {
    const movement = toMovement(operation);
    if (!movement) unreadable++;
    // A movement from after the balance was read is left out.
    else if (movement.at <= run.at) movements.push(movement);
  }
  return { movements, unreadable, hasMore: listed.value.hasMore };
}

/** Null: the list leaves out fields of the operation (without white-label). */
function toMovement(operation: CryptoOperation): ListedMovement | null {
  const { providerId, kind, orderNumber, status, units, feeUnits, currency, createdAt } = operation;
  if (createdAt === null || currency === null || (status === 'done' && units === null)) return null;
  // An open operation may still move nothing.
  const moved = status === 'done' ? (units ?? 0n) : 0n;
  const isInvoice = kind === 'invoice';
  return {
    kind: isInvoice ? 'payment' : 'payout',
    endToEndId: providerId,
    refundId: '',
    ownId: isInvoice && orderNumber !== null && isUuid(orderNumber) ? orderNumber : null,
    returnId: null,
    amount: isInvoice ? moved : -moved,
    feeAmount: moved === 0n ? 0n : feeUnits,
    at: createdAt,
    paidAt: createdAt,
  };
}
