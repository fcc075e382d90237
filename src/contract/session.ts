import { z } from 'zod';
import { documentTypeOf } from '#domain/documents.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, passwordFault } from '#domain/password.ts';
import { emailInput, filledTextInput } from './fields.ts';

const NAME_LENGTH_MAX = 200;
const DOCUMENT_LENGTH_MAX = 30;

const PASSWORD_MESSAGES = {
  short: `Use pelo menos ${PASSWORD_LENGTH_MIN} caracteres.`,
  long: `Use no máximo ${PASSWORD_LENGTH_MAX} caracteres.`,
  common: 'Esta senha é fácil de adivinhar. Escolha outra, por exemplo uma frase.',
} as const;

/** A new password: long enough, and none that everybody tries first. */
export const newPasswordInput = z.string({ error: 'Deve ser um texto.' }).check(({ value, issues }) => {
  const fault = passwordFault(value);
  if (fault) issues.push({ code: 'custom', message: PASSWORD_MESSAGES[fault], input: value });
});

export const signUpInput = z.object({
  merchant_name: filledTextInput(NAME_LENGTH_MAX),
  /** CPF or CNPJ, with or without punctuation. */
  document: filledTextInput(DOCUMENT_LENGTH_MAX).refine((text) => documentTypeOf(text) !== null, {
    error: 'Deve ser um CPF ou CNPJ válido.',
  }),
  name: filledTextInput(NAME_LENGTH_MAX),
  email: emailInput,
  password: newPasswordInput,
});

/** Who has signed in, and what the frame of every page shows of him. */
export const meOutput = z.object({
  name: z.string(),
  email: z.string(),
  merchant_name: z.string(),
  kyc_status: z.enum(['pending', 'approved', 'rejected']),
  livemode: z.boolean(),
  account_id: z.string(),
  /** Of crypto charges and withdrawals where none is chosen; null: none configured. */
  currency: z.string().nullable(),
  has_second_factor: z.boolean(),
  language: z.enum(['pt-BR', 'en']).nullable(),
  theme: z.enum(['light', 'dark']).nullable(),
  /** The installation is a demonstration: money is play money. */
  demo: z.boolean(),
  /** Until when the panel sends no money; null: it does. */
  withdrawals_paused_until: z.string().nullable(),
});

export type Me = z.infer<typeof meOutput>;

/** As long as better-auth's own limits for what is proved. */
const PROOF_LENGTH_MAX = 128;

export const confirmInput = z.union([
  z.object({ code: z.string().min(1).max(PROOF_LENGTH_MAX) }),
  z.object({ recovery_code: z.string().min(1).max(PROOF_LENGTH_MAX) }),
  z.object({ password: z.string().min(1).max(PROOF_LENGTH_MAX) }),
]);
