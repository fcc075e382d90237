import { z } from 'zod';
import { ROLES } from '#domain/members/roles.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { readDocument } from '#domain/values/documents.ts';
import { languages } from '#domain/values/language.ts';
import { parsed } from '../codecs.ts';
import { emailInput, filledTextInput, instantOutput, strangersNameInput, uuidInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { DOCUMENT_LENGTH_MAX, NAME_LENGTH_MAX } from '../lengths.ts';

/** Without a password: it is chosen once the address is proved. */
export const signUpInput = z.object({
  merchant_name: strangersNameInput(NAME_LENGTH_MAX),
  /** CPF or CNPJ, with or without punctuation. */
  document: parsed(filledTextInput(DOCUMENT_LENGTH_MAX), readDocument, ({ number }) => number, 'not_cpf_or_cnpj'),
  name: strangersNameInput(NAME_LENGTH_MAX),
  email: emailInput,
});

/** Longer than any token that the service makes. */
const TOKEN_LENGTH_MAX = 128;

export const linkInput = z.object({ token: z.string().max(TOKEN_LENGTH_MAX) });

/** What the link of a sign-up opens. */
export const signUpLinkOutput = z.object({ merchant_name: z.string(), name: z.string(), email: z.string() });

/** Whose password the link of a message changes. */
export const resetLinkOutput = z.object({ email: z.string() });

/** What the link of an invitation opens. */
export const invitationLinkOutput = z.object({
  merchant_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  /** The address signs in already: no password is chosen. */
  member: z.boolean(),
});

/** The name of a new member; the sign-in checks the password beside it. */
export const acceptInput = z.object({ name: strangersNameInput(NAME_LENGTH_MAX) });

const role = z.enum(ROLES, { error: issue('not_one_of', choiceOf(ROLES)) });

export const inviteInput = z.object({ email: emailInput, role });
export const invitationInput = z.object({ id: uuidInput });
export const memberInput = z.object({ id: uuidInput });
export const roleInput = z.object({ id: uuidInput, role });

/** The businesses of one person. */
export const merchantsOutput = z.object({
  merchants: z.array(z.object({ id: z.string(), name: z.string(), role, chosen: z.boolean() })),
});
export const chooseMerchantInput = z.object({ id: uuidInput });

/** Who signs in to a business, and who is invited to. */
export const peopleOutput = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      role,
      has_second_factor: z.boolean(),
      own: z.boolean(),
      created_at: instantOutput,
    }),
  ),
  invitations: z.array(z.object({ id: z.string(), email: z.string(), role, expires_at: instantOutput })),
});

export type PeopleOutput = z.input<typeof peopleOutput>;

/** Who has signed in, and what the frame of every page shows of them. */
export const meOutput = z.object({
  name: z.string(),
  email: z.string(),
  merchant_name: z.string(),
  kyc_status: z.enum(['pending', 'approved', 'rejected']),
  livemode: z.boolean(),
  account_id: z.string(),
  role,
  /** The procedures and files that the role may have, by name: pages show what can be done. */
  may: z.array(z.string()),
  /** Of crypto charges and withdrawals where none is chosen; null: none configured. */
  currency: z.string().nullable(),
  has_second_factor: z.boolean(),
  language: z.enum(languages).nullable(),
  theme: z.enum(['light', 'dark']).nullable(),
  /** A payment of this account was contested, once or more. */
  has_disputes: z.boolean(),
  /** The account has had credentials of its own with a PSP, whose days are compared. */
  has_reconciliation: z.boolean(),
  /** The installation is a demonstration: money is play money. */
  demo: z.boolean(),
  /**
   * Until when the member, and keys that they made, can send no money and change nothing that
   * protects it; null: they can now.
   */
  withdrawals_paused_until: instantOutput.nullable(),
  /** Money came in or left over the account's own credentials without a charge or a request. */
  has_unmatched: z.boolean(),
  /** The account's test clock: which day it is by it, and how far ahead that is; null: none. */
  test_clock: z.object({ day: z.string(), ahead_seconds: z.number() }).nullable(),
  /** Notices that the member has not read; 100: so many or more. */
  unread_notices: z.number(),
  /** Why the account is suspended, in the operator's words; null: it is not. */
  suspension_reason: z.string().nullable(),
  /** Rails that the operator has closed for every account, with the reason. */
  closed_rails: z.array(z.object({ rail: z.enum(TRANSACTION_TYPES), reason: z.string() })),
});

export type Me = z.input<typeof meOutput>;

/** better-auth's own limit for a password and a code. */
const PROOF_LENGTH_MAX = 128;

export const confirmInput = z.union([
  z.object({ code: z.string().min(1).max(PROOF_LENGTH_MAX) }),
  z.object({ recovery_code: z.string().min(1).max(PROOF_LENGTH_MAX) }),
  z.object({ password: z.string().min(1).max(PROOF_LENGTH_MAX) }),
]);
