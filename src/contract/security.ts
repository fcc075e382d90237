import { z } from 'zod';
import { instantOutput } from './fields.ts';

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
  /** What was done at the merchant, newest first. */
  activity: z.array(
    z.object({ action: z.string(), own: z.boolean(), ip_address: z.string().nullable(), at: instantOutput }),
  ),
});

export const sessionInput = z.object({ id: z.string().min(1).max(64) });
