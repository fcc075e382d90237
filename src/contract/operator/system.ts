import { z } from 'zod';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { unitsOutput } from '../amounts.ts';
import { countText, instantOutput } from '../fields.ts';

/** Every asset that has a price, once. */
export const ASSETS = [...new Set(Object.values(CURRENCIES).map(({ asset }) => asset))];

const ledgerCheck = z.object({
  /** `since`: it covered only what came after the check before it. */
  kind: z.enum(['since', 'full']),
  checked_at: instantOutput,
  transfers: countText,
  entries: countText,
  discrepancies: z.int(),
  /** The first discrepancy; null: none. */
  first_finding: z.string().nullable(),
});

/** A PSP or a crypto processor: the installation's, the sandbox's, or an account's own. */
const provider = z.object({
  name: z.string(),
  kind: z.enum(['pix', 'crypto']),
  /** Calls of the hour that runs and of the 23 before it; null: there were none. */
  calls: z
    .object({
      count: z.int(),
      failures: z.int(),
      last_answer_at: instantOutput.nullable(),
      last_failure_at: instantOutput.nullable(),
      failed_operation: z.string().nullable(),
      /** 0: no answer came. */
      failed_status: z.int().nullable(),
    })
    .nullable(),
  /** When its recent payments were read last; null: never, or that is not done. */
  swept_at: instantOutput.nullable(),
});

const volume = z.object({
  hour: instantOutput,
  family: z.string(),
  requests: z.int(),
  rejected: z.int(),
  failed: z.int(),
});

/** Whether the installation does its work. */
export const systemOutput = z.object({
  /** Checks that the command line made, the newest first. */
  checks: z.array(ledgerCheck),
  proof: z.object({
    /** The last signed head; null: no day is over. */
    head: z.object({ day: z.string(), hash: z.string(), signed_at: instantOutput }).nullable(),
    unsealed_seconds: z.number(),
  }),
  providers: z.array(provider),
  /** REST requests of the hour that runs and of the 23 before it, the newest hour first. */
  volume: z.array(volume),
  now: instantOutput,
});

export type SystemState = z.input<typeof systemOutput>;

export const marketPriceInput = z.object({ asset: z.enum(ASSETS) });

export const marketPriceOutput = z.object({
  /** The mode whose markets were asked: live where there are live accounts. */
  mode: z.enum(['live', 'test']),
  /** In reais for one coin; null: the markets give none. */
  price: unitsOutput.nullable(),
  /** When the oldest of the sources was made. */
  at: instantOutput.nullable(),
  sources: z.array(z.object({ source: z.string(), price: unitsOutput, at: instantOutput })),
  /** Why there is no price. */
  reason: z.string().nullable(),
});
