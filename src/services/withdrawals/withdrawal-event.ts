import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { mayWithdrawalBecome, type WithdrawalStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { eventBody, eventType, externalIdOf, type TransactionFields } from '#domain/webhooks/events.ts';

/**
 * The event of a withdrawal's change to `status`. Throws for a change that the table of states does
 * not allow: that is a fault of ours, and nothing is written then.
 */
export function withdrawalEvent(
  withdrawal: WithdrawalRow,
  change: {
    status: WithdrawalStatus;
    endToEndId?: string | null;
    providerId?: string | null;
    failureCode?: string;
    paidAt?: Date;
    now: Date;
  },
): { eventId: string; eventType: string; eventBody: string } {
  const { type, status: from } = withdrawal;
  if (change.status !== from && !mayWithdrawalBecome(type, from, change.status)) {
    throw new Error(`A ${type} withdrawal that is ${from} can't become ${change.status}.`);
  }
  const ids = {
    id: withdrawal.id,
    endToEndId: change.endToEndId ?? withdrawal.endToEndId,
    providerId: change.providerId ?? withdrawal.providerId,
  };
  const fields: TransactionFields = {
    ...withdrawal,
    status: change.status,
    externalId: externalIdOf(ids),
    paidAt: change.paidAt ?? withdrawal.paidAt,
  };
  const { now } = change;
  const eventId = uuidv7(now);
  const crypto =
    withdrawal.type === 'crypto_out' && withdrawal.units !== null
      ? { currency: withdrawal.currency, crypto_amount: unitsToNumber(withdrawal.units), wallet: withdrawal.wallet }
      : {};
  const details = {
    ...(ids.endToEndId === null ? {} : { end_to_end_id: ids.endToEndId }),
    ...crypto,
    ...(change.failureCode === undefined ? {} : { failure_code: change.failureCode }),
  };
  return {
    eventId,
    eventType: eventType(fields),
    eventBody: eventBody({ eventId, now, livemode: withdrawal.livemode, fields, previousStatus: from, details }),
  };
}
