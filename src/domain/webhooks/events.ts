import type { ListedType } from '../transactions/transaction-states.ts';
import { txidToUuid, uuidToTxid } from '../values/uuid.ts';

/** The topic whose endpoint gets the events of a type of transaction. */
export type Topic = 'deposit' | 'withdrawal' | 'usdt';
export const TOPICS: readonly Topic[] = ['deposit', 'withdrawal', 'usdt'];

/** The types of transaction that a topic covers. */
export const TOPIC_TYPES: Record<Topic, readonly ListedType[]> = {
  deposit: ['pix_in', 'split_in'],
  withdrawal: ['pix_out'],
  usdt: ['crypto_in', 'crypto_out'],
};

/** What the types of a topic's events begin with: a case is about a charge. */
export const TOPIC_EVENTS: Record<Topic, readonly string[]> = {
  ...TOPIC_TYPES,
  deposit: [...TOPIC_TYPES.deposit, 'dispute'],
};

/**
 * The status of a delivery: on its way, accepted by its receiver, given up, or held because its
 * endpoint is disabled or has no URL. The merchant can send a held one once that has changed.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The fields of a transaction that the status query and the webhooks have. */
export type TransactionFields = {
  id: string;
  type: ListedType;
  status: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  /** The provider's id for it; see externalIdOf. */
  externalId: string;
  createdAt: Date;
  paidAt: Date | null;
};

/**
 * Returns the part of a charge that another account gets once it is paid, under the names of the
 * wire; `null` where there is none.
 */
export const splitView = (charge: {
  splitAccountId: string | null;
  splitCentavos: bigint;
}): { account_id: string; amount: bigint } | null =>
  charge.splitAccountId === null ? null : { account_id: charge.splitAccountId, amount: charge.splitCentavos };

/**
 * Returns the provider's id for a transaction. PIX: the end-to-end id once there is one, before
 * that the txid or idEnvio, which is ours. Crypto: the processor's own id once there is one.
 */
export function externalIdOf(transaction: {
  id: string;
  endToEndId?: string | null;
  providerId?: string | null;
}): string {
  return transaction.endToEndId ?? transaction.providerId ?? uuidToTxid(transaction.id);
}

/**
 * Returns what the status query and the webhooks say of a transaction, under the names of the wire;
 * amounts are centavos.
 */
export const transactionView = (fields: TransactionFields) => ({
  transaction_id: fields.id,
  external_id: fields.externalId,
  type: fields.type,
  status: fields.status,
  amount: fields.amountCentavos,
  amount_fees: fields.feeCentavos,
  created_at: fields.createdAt,
  paid_at: fields.paidAt,
});

/**
 * Returns the id of an event as receivers see it (`webhook-id`, and `id` in the body): the same for
 * every attempt.
 */
export const publicEventId = (eventId: string): string => `${PUBLIC_ID_PREFIX}${eventId.replaceAll('-', '')}`;
const PUBLIC_ID_PREFIX = 'evt_';

/**
 * Returns the id of the event that receivers see under this one; `null` for a text that is no such
 * id.
 */
export const eventIdOf = (publicId: string): string | null =>
  publicId.startsWith(PUBLIC_ID_PREFIX) ? txidToUuid(publicId.slice(PUBLIC_ID_PREFIX.length)) : null;

/** Returns the type of an event, e.g. `pix_out.paid`: the status, or another name for the event. */
export const eventType = (fields: { type: ListedType; status: string }, name?: string): string =>
  `${fields.type}.${name ?? fields.status}`;

/**
 * The type of an event without a subject: merchants ask for it, to see whether their receiver
 * works.
 */
export const TEST_EVENT_TYPE = 'webhook.test';
