import { z } from 'zod';
import { AUDIT_KINDS } from '#domain/audit/audit-kind.ts';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { brlOutput } from '../amounts.ts';
import { auditChangeOutput, auditSearchFields } from '../audit-search.ts';
import { optional } from '../codecs.ts';
import { countText, filledTextInput, instantOutput } from '../fields.ts';

export const securityOutput = z.object({
  has_totp: z.boolean(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string().nullable(), created_at: instantOutput.nullable() })),
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      ip_address: z.string().nullable(),
      user_agent: z.string().nullable(),
      created_at: instantOutput,
    }),
  ),
});

/** How many entries a page of the activity has by default, and at most. */
const PAGE_DEFAULT = 30;
const PAGE_MAX = 100;

export const activityInput = z.object({
  kind: z.enum(AUDIT_KINDS).default('security'),
  ...auditSearchFields,
  /** The next_cursor of the page before. */
  cursor: optional(countText),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
});

/** The query of the file `activity.csv`. */
export const activityFileInput = z.object({
  kind: z.enum(AUDIT_KINDS).default('security'),
  ...auditSearchFields,
  format: z.enum(CSV_FORMATS).default('pt-BR'),
});

export const activityOutput = z.object({
  /** What was done at the merchant, newest first. */
  entries: z.array(
    z.object({
      id: countText,
      action: z.string(),
      /** `unknown`: an attempt that failed; it need not have been the login's member. */
      by: z.enum(['you', 'member', 'key', 'operator', 'unknown']),
      /** The member's or the key's; null where there is none. */
      name: z.string().nullable(),
      ip_address: z.string().nullable(),
      /** In reais, of an act with money. */
      amount: brlOutput.nullable(),
      /** What it was about, where it is a transaction of this account. */
      transaction_id: z.uuid().nullable(),
      /** The values before and after, where they were noted. */
      changes: z.array(auditChangeOutput),
      at: instantOutput,
    }),
  ),
  next_cursor: countText.nullable(),
});

export type SecurityOutput = z.input<typeof securityOutput>;
export type ActivityEntry = z.input<typeof activityOutput>['entries'][number];

/** Longer than any id of a session. */
const ID_LENGTH_MAX = 64;

export const sessionInput = z.object({ id: filledTextInput(ID_LENGTH_MAX) });
