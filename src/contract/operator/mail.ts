import { z } from 'zod';
import { optional } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';

/** How many messages a page has. */
const PAGE = 50;

export const mailsInput = z.object({
  /** Those that wait or were given up. */
  not_sent: z.boolean().default(false),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});

const mail = z.object({
  mail_id: z.string(),
  /** What it is about. */
  template: z.string(),
  /** Masked. */
  recipient: z.string(),
  state: z.enum(['waiting', 'sent', 'given_up']),
  attempts: z.int(),
  /** Why the last attempt failed; null: it did not. */
  error: z.string().nullable(),
  created_at: instantOutput,
  sent_at: instantOutput.nullable(),
});

export const mailsOutput = z.object({ mails: z.array(mail), next_cursor: z.string().nullable() });

export const mailInput = z.object({ mail_id: uuidInput });
