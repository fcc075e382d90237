import { z } from 'zod';
import { emailInput } from '../fields.ts';

/** As long as better-auth's own limit for passwords. */
const PASSWORD_LENGTH_MAX = 128;
/** Six digits, and the space that apps show between them. */
const CODE_LENGTH_MAX = 16;

const code = z.string().min(1).max(CODE_LENGTH_MAX);

export const operatorSignInInput = z.object({
  email: emailInput,
  password: z.string().min(1).max(PASSWORD_LENGTH_MAX),
  code,
});

export const operatorConfirmInput = z.object({ code });

/** Who has signed in to the console. */
export const operatorMeOutput = z.object({ name: z.string(), email: z.string(), demo: z.boolean() });
