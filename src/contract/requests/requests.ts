import { z } from 'zod';
import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/requests/request-log.ts';
import { optional } from '../codecs.ts';
import { countText, instantOutput, textInput, uuidInput } from '../fields.ts';

/** Panel only: the log of requests with an account's keys. */

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;
const TEXT_LENGTH_MAX = 100;

export const requestListInput = z.object({
  key_id: optional(uuidInput),
  method: optional(z.enum(REQUEST_METHODS)),
  /** As `4xx`; decoded to its first digit. */
  status: optional(z.enum(STATUS_CLASSES).transform((text) => Number(text[0]))),
  /** A part of the path, or a whole request id. */
  text: optional(textInput(TEXT_LENGTH_MAX).transform((text) => text.trim() || null)),
  /** The next_cursor of the page before. */
  cursor: optional(countText),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
});

const listed = {
  id: countText,
  /** The x-request-id of the answer. */
  request_id: z.uuid(),
  key_id: z.uuid(),
  /** Null: the key is gone. */
  key_name: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  duration_ms: z.number(),
  at: instantOutput,
};

export const requestListOutput = z.object({
  requests: z.array(z.object(listed)),
  next_cursor: countText.nullable(),
});

export const requestInput = z.object({ id: countText });

export const requestOutput = z.object({
  ...listed,
  /** Masked JSON, perhaps cut short (then it ends in …); null for none. */
  request_body: z.string().nullable(),
  response_body: z.string().nullable(),
});

export type ListedRequest = z.input<typeof requestListOutput>['requests'][number];
export type RequestView = z.input<typeof requestOutput>;
