import { z } from 'zod';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import { DISABLED_REASONS } from '#domain/webhooks/disabled-reason.ts';
import { DELIVERY_STATUSES } from '#domain/webhooks/events.ts';
import { optional } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { eventIdOutput } from './webhook-bodies.ts';

/** The panel's page of webhooks. */

const PAGE_DEFAULT = 25;
const PAGE_MAX = 100;

const topic = z.enum(['deposit', 'withdrawal', 'usdt']);
const deliveryStatus = z.enum(DELIVERY_STATUSES);

export const topicInput = z.object({ topic });

export const urlInput = z
  .string({ error: issue('not_text') })
  .trim()
  .min(1, { error: issue('empty') })
  .max(URL_LENGTH_MAX, { error: issue('too_long', { max: URL_LENGTH_MAX }) });

/** The service checks the rest of a URL, because it depends on the account. */
export const setEndpointInput = z.object({ topic, url: urlInput });

export const webhooksOutput = z.object({
  endpoints: z.array(
    z.object({
      topic,
      url: z.string().nullable(),
      /** Since when nothing is sent there, and why. */
      disabled_at: instantOutput.nullable(),
      disabled_reason: z.enum(DISABLED_REASONS).nullable(),
      /** Whether this URL was ever called. */
      called: z.boolean(),
      failing_since: instantOutput.nullable(),
      /** Events that wait for their next attempt; 0 where nothing fails. */
      waiting: z.number(),
      /** Events that are held; `held_is_more`: there are more than these. */
      held: z.number(),
      held_is_more: z.boolean(),
      /** They are being sent, one after the other. */
      held_is_sending: z.boolean(),
    }),
  ),
  /**
   * Deliveries that were given up in the last 30 days. `failed_is_more`: there are more than these.
   */
  failed: z.number(),
  failed_is_more: z.boolean(),
  secret_overlap_until: instantOutput.nullable(),
});

/** Webhooks that the built-in receiver of a test account got, the newest first. */
export const receivedWebhooksOutput = z.object({
  received: z.array(
    z.object({
      id: z.uuid(),
      received_at: instantOutput,
      /** Its signature was one of the account's, and its timestamp recent. */
      verified: z.boolean(),
      /** By name, in lower case. */
      headers: z.record(z.string(), z.string()),
      /** The exact text that came. */
      body: z.string(),
    }),
  ),
});

export const webhookSecretOutput = z.object({ secret: z.string() });
export const rotatedSecretOutput = z.object({ secret: z.string(), overlap_until: instantOutput });

export const deliveryListInput = z.object({
  status: optional(deliveryStatus),
  topic: optional(topic),
  transaction_id: optional(z.string()),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
  limit: z.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
});

const attempt = {
  number: z.number(),
  started_at: instantOutput,
  duration_ms: z.number(),
  /** Null when no answer came: `error` says why (blocked_address, timeout, tls, connection). */
  status_code: z.number().nullable(),
  error: z.string().nullable(),
};

const listed = {
  delivery_id: z.uuid(),
  /** As receivers see it: `webhook-id`. */
  event_id: eventIdOutput,
  /** e.g. pix_in.paid */
  type: z.string(),
  /** Null: a test event. */
  transaction_id: z.uuid().nullable(),
  /** Null: it goes to the transaction's own callback URL, or to an endpoint without a topic. */
  topic: topic.nullable(),
  /** Null: it never went anywhere, and its topic has no URL. */
  url: z.string().nullable(),
  status: deliveryStatus,
  created_at: instantOutput,
  finished_at: instantOutput.nullable(),
  /** Its endpoint was disabled or taken away: it can't be sent again. */
  endpoint_off: z.boolean(),
  attempts: z.number(),
  last_attempt: z.object(attempt).nullable(),
  next_try_at: instantOutput.nullable(),
};

export const deliveryListOutput = z.object({
  deliveries: z.array(z.object(listed)),
  next_cursor: z.uuid().nullable(),
});

export const deliveryInput = z.object({ delivery_id: z.string() });

export const deliveryOutput = z.object({
  ...listed,
  /** The exact text that every attempt carries. */
  body: z.string(),
  tries: z.array(
    z.object({
      ...attempt,
      /** The beginning of the receiver's answer. */
      answer: z.string().nullable(),
      /** By name; null: the signature was made with a secret that has been replaced since. */
      headers: z.record(z.string(), z.string().nullable()),
    }),
  ),
});

/** `under_way`: it is being sent already. */
export const resentOutput = z.object({ outcome: z.enum(['due', 'under_way']) });

export const resendFailedInput = z.object({ topic: optional(topic) });
/** `more`: call again for the rest. */
export const resendFailedOutput = z.object({ resent: z.number(), more: z.boolean() });

export const testEventOutput = z.object({ delivery_id: z.uuid() });

export type WebhooksOutput = z.input<typeof webhooksOutput>;
export type EndpointOutput = WebhooksOutput['endpoints'][number];
export type ListedDelivery = z.input<typeof deliveryListOutput>['deliveries'][number];
export type DeliveryOutput = z.input<typeof deliveryOutput>;
