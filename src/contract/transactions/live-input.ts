import { z } from 'zod';
import { optional } from '../codecs.ts';
import { uuidInput } from '../fields.ts';
import type { ListedTransaction } from './transactions.ts';

/**
 * An instant in milliseconds, as the id of an event has it: a browser that reconnects sends the id
 * of the last event.
 */
const POSITION = /^\d{1,14}$/;

const position = z.codec(z.string().regex(POSITION), z.number(), { decode: Number, encode: String });

/** `account`: the one that the page shows, as a stream is asked for without ACCOUNT_HEADER. */
export const liveInput = z.object({ lastEventId: optional(position), account: optional(uuidInput) });

/**
 * `notice`: a notice of the member has arrived. `resync`: more has changed than is reported here:
 * ask for the list again.
 */
export type LiveMessage =
  | { kind: 'transaction'; transaction: ListedTransaction }
  | { kind: 'notice' }
  | { kind: 'resync' };
