import type { ListedType } from '../transactions/transaction-states.ts';
import { toBrl } from '../values/money.ts';
import { txidToUuid, uuidToTxid } from '../values/uuid.ts';

/** The topic whose endpoint gets the events of a type of transaction. */
export type Topic = 'deposit' | 'withdrawal' | 'usdt';
export const TOPICS: readonly Topic[] = ['deposit', 'withdrawal', 'usdt'];

/** Of which types of transaction a topic tells. */
export const TOPIC_TYPES: Record<Topic, readonly ListedType[]> = {
  deposit: ['pix_in', 'split_in'],
  withdrawal: ['pix_out'],
  usdt: ['crypto_in', 'crypto_out'],
};

/**
 * How a delivery stands: on its way, taken by its receiver, given up, or held because its endpoint
 * is disabled or has no URL: the merchant sends it once it has one.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * What the status query and the webhooks say of a transaction; amounts in BRL, instants ISO 8601
 * UTC with milliseconds.
 */
export type TransactionView = {
  transaction_id: string;
  external_id: string;
  type: string;
  status: string;
  amount: number;
  amount_fees: number;
  created_at: string;
  paid_at: string | null;
};

/** The fields behind a view. */
export type TransactionFields = {
  id: string;
  type: ListedType;
  status: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  /** What the provider calls it; see externalIdOf. */
  externalId: string;
  createdAt: Date;
  paidAt: Date | null;
  /**
   * Of a charge: what of it another account gets once it is paid; null: nothing. Other types have
   * none.
   */
  split?: Split | null;
};

/** The part of a charge that another account gets. */
export type Split = { accountId: string; centavos: bigint };

/** A split as details and webhooks have it. */
export const splitView = (split: Split | null): { account_id: string; amount: number } | null =>
  split && { account_id: split.accountId, amount: toBrl(split.centavos) };

/** The split of a charge's row. */
export const splitOf = (row: { splitAccountId: string | null; splitCentavos: bigint }): Split | null =>
  row.splitAccountId === null ? null : { accountId: row.splitAccountId, centavos: row.splitCentavos };

/**
 * What the provider calls a transaction: PIX, the end-to-end id once there is one, before that the
 * txid or idEnvio, which is ours; crypto, the processor's own id once there is one.
 */
export function externalIdOf(transaction: {
  id: string;
  endToEndId?: string | null;
  providerId?: string | null;
}): string {
  return transaction.endToEndId ?? transaction.providerId ?? uuidToTxid(transaction.id);
}

export function transactionView(fields: TransactionFields): TransactionView {
  return {
    transaction_id: fields.id,
    external_id: fields.externalId,
    type: fields.type,
    status: fields.status,
    amount: toBrl(fields.amountCentavos),
    amount_fees: toBrl(fields.feeCentavos),
    created_at: fields.createdAt.toISOString(),
    paid_at: fields.paidAt?.toISOString() ?? null,
  };
}

/**
 * The id of an event as receivers see it (`webhook-id`, and `id` in the body): the same for every
 * attempt.
 */
export const publicEventId = (eventId: string): string => `${PUBLIC_ID_PREFIX}${eventId.replaceAll('-', '')}`;
const PUBLIC_ID_PREFIX = 'evt_';

/** The id of the event that receivers see under this one; null for a text that is no such id. */
export const eventIdOf = (publicId: string): string | null =>
  publicId.startsWith(PUBLIC_ID_PREFIX) ? txidToUuid(publicId.slice(PUBLIC_ID_PREFIX.length)) : null;

/**
 * The exact bytes of a webhook. `fields` are those after the change, `name` is what happened when
 * that is not the status itself (`crypto_in.underpaid`), `details` are further members of `data`,
 * JSON-native. Shape after Standard Webhooks: {id, type, timestamp, livemode, data}.
 */
export function eventBody(event: {
  eventId: string;
  now: Date;
  livemode: boolean;
  fields: TransactionFields;
  /** Null: there was nothing before. */
  previousStatus: string | null;
  name?: string;
  details?: Record<string, unknown>;
}): string {
  return JSON.stringify({
    id: publicEventId(event.eventId),
    type: eventType(event.fields, event.name),
    timestamp: event.now.toISOString(),
    livemode: event.livemode,
    data: {
      ...transactionView(event.fields),
      net_amount: toBrl(event.fields.netCentavos),
      ...(event.fields.split !== undefined && { split: splitView(event.fields.split) }),
      previous_status: event.previousStatus,
      ...event.details,
    },
  });
}

/** e.g. `pix_out.paid` */
export const eventType = (fields: { type: ListedType; status: string }, name?: string): string =>
  `${fields.type}.${name ?? fields.status}`;

/**
 * The type of an event about nothing: the merchant asks for it, to see whether their receiver
 * works.
 */
export const TEST_EVENT_TYPE = 'webhook.test';

/**
 * The exact bytes of a test event: the envelope of all others; `data` names the topic whose
 * endpoint it goes to.
 */
export function testEventBody(event: { eventId: string; now: Date; livemode: boolean; topic: Topic }): string {
  return JSON.stringify({
    id: publicEventId(event.eventId),
    type: TEST_EVENT_TYPE,
    timestamp: event.now.toISOString(),
    livemode: event.livemode,
    data: { topic: event.topic, message: 'Evento de teste: nenhuma transação mudou.' },
  });
}
