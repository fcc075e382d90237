import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { mayWithdrawalBecome, type WithdrawalStatus } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { eventType, externalIdOf, type TransactionFields } from '#domain/webhooks/events.ts';
import { eventBody } from '../webhooks/event-body.ts';
import { askedTexts } from '../webhooks/event-texts.ts';
import { type EventDeps, sealEventBody } from '../webhooks/seal-event-body.ts';

/**
 * The event of a withdrawal's change to `status`, its body sealed. Throws for a change that the
 * table of states does not allow: that is an internal error, and nothing is written then.
 */
export function withdrawalEvent(
  deps: EventDeps,
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
    // What a review has found never to have left was never paid.
    paidAt: change.status === 'failed' ? null : (change.paidAt ?? withdrawal.paidAt),
  };
  const { now, failureCode } = change;
  const eventId = uuidv7(now);
  const event = { eventId, now, livemode: withdrawal.livemode, fields, previousStatus: from };
  const failure = failureCode === undefined ? {} : { failure_code: failureCode };
  const asked = askedTexts(deps, withdrawal);
  const endToEnd = ids.endToEndId === null ? {} : { end_to_end_id: ids.endToEndId };
  const body =
    type === 'pix_out'
      ? eventBody('PixOutEvent', {
          ...event,
          details: { ...endToEnd, ...asked, ...failure, ...madeAtBank(withdrawal) },
        })
      : eventBody('CryptoOutEvent', {
          ...event,
          details: { ...cryptoDetails(withdrawal), ...asked, ...failure },
        });
  return { eventId, eventType: eventType(fields), eventBody: sealEventBody(deps, eventId, body) };
}

/** A withdrawal without a key: receivers see why they never requested it. */
const madeAtBank = ({ pixKey }: WithdrawalRow) => (pixKey === null ? { made_at_bank: true as const } : {});

function cryptoDetails({ id, currency, units, wallet }: WithdrawalRow) {
  if (currency === null || units === null || wallet === null) throw new Error(`Withdrawal ${id} has no destination.`);
  return { currency, crypto_amount: units, wallet };
}
