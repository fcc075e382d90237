import { z } from 'zod';
import { filledTextInput, instantOutput } from './fields.ts';

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

/** Longer than any id of a session. */
const ID_LENGTH_MAX = 64;

export const sessionInput = z.object({ id: filledTextInput(ID_LENGTH_MAX) });
