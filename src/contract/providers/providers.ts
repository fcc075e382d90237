import { z } from 'zod';
import { CHECK_ANSWERS, CHECKED_ROUTES, PROVIDERS, PSPS } from '#domain/providers/providers.ts';
import { filledTextInput, instantOutput, textInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import {
  ACCOUNT_NUMBER_LENGTH_MAX,
  CERTIFICATE_LENGTH_MAX,
  CREDENTIAL_LENGTH_MAX,
  PIX_KEY_LENGTH_MAX,
} from './provider-lengths.ts';

/** Members paste these values from a provider's page, often with a space or a line end. */
const pasted = (lengthMax: number) => filledTextInput(lengthMax).transform((text) => text.trim());
const optional = (lengthMax: number) => textInput(lengthMax).nullable();
const PUNCTUATION = /[\s.-]/g;
const ACCOUNT_NUMBER = /^\d+$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const client = {
  client_id: pasted(CREDENTIAL_LENGTH_MAX),
  client_secret: pasted(CREDENTIAL_LENGTH_MAX),
  pix_key: pasted(PIX_KEY_LENGTH_MAX),
};

const pixInput = z
  .object({
    kind: z.literal('api_pix'),
    provider: z.enum(PSPS),
    ...client,
    /** PEM; with `private_key`, in place of `pkcs12`. */
    certificate: optional(CERTIFICATE_LENGTH_MAX),
    private_key: optional(CERTIFICATE_LENGTH_MAX),
    /** A PKCS #12 file (.p12, .pfx) in base64. */
    pkcs12: optional(CERTIFICATE_LENGTH_MAX).refine((text) => text === null || BASE64.test(text), {
      error: issue('not_pkcs12'),
    }),
    passphrase: optional(CREDENTIAL_LENGTH_MAX),
    /** The application's key of Banco do Brasil (gw-dev-app-key). */
    app_key: optional(CREDENTIAL_LENGTH_MAX),
    /** The account of Inter's client (x-conta-corrente), where that has several. */
    account_number: optional(ACCOUNT_NUMBER_LENGTH_MAX)
      .transform((text) => text?.replace(PUNCTUATION, '') || null)
      .refine((text) => text === null || ACCOUNT_NUMBER.test(text), { error: issue('not_valid') }),
  })
  .superRefine((form, check) => {
    const ask = (name: 'certificate' | 'private_key' | 'app_key') => {
      if (!form[name]?.trim()) check.addIssue({ code: 'custom', path: [name], message: issue('empty') });
    };
    if (form.pkcs12 === null) {
      ask('certificate');
      ask('private_key');
    }
    if (form.provider === 'bb') ask('app_key');
  });

const sandboxPixInput = z.object({ kind: z.literal('api_pix'), provider: z.literal('sandbox'), ...client });

const plisioInput = z.object({
  kind: z.literal('plisio'),
  provider: z.enum(['plisio', 'sandbox']),
  api_key: pasted(CREDENTIAL_LENGTH_MAX),
});

/** An account's own credentials with a provider. */
export const connectInput = z.discriminatedUnion('kind', [
  z.discriminatedUnion('provider', [pixInput, sandboxPixInput]),
  plisioInput,
]);

/** Which of an account's own credentials. */
export const providerKindInput = z.object({ kind: z.enum(['api_pix', 'plisio']) });

const findings = z.array(z.object({ route: z.enum(CHECKED_ROUTES), answer: z.enum(CHECK_ANSWERS) }));

/** The provider's answers; where `connected` is false, nothing was saved. */
export const connectOutput = z.object({ connected: z.boolean(), findings });
export const checkOutput = z.object({ findings });

const inFlight = z.object({
  charges: z.number(),
  invoices: z.number(),
  withdrawals: z.number(),
  refunds: z.number(),
  disputes: z.number(),
});

export const providersOutput = z.object({
  /** A live account takes and sends money over credentials of its own alone. */
  required: z.boolean(),
  /** What the sandbox gives a live account of a demonstration, for its owner. */
  sandbox: z
    .object({ client_id: z.string(), client_secret: z.string(), pix_key: z.string(), api_key: z.string() })
    .nullable(),
  rails: z.array(
    z.object({
      kind: z.enum(['api_pix', 'plisio']),
      /** Whose credentials new payments use. */
      uses: z.enum(['own', 'installation', 'sandbox', 'none']),
      connected: z
        .object({
          provider: z.enum([...PROVIDERS, 'other']),
          since: instantOutput,
          /** The member's name; null: the operator, or somebody who is gone. */
          by: z.string().nullable(),
          by_operator: z.boolean(),
          checked_at: instantOutput.nullable(),
          check_answer: z.enum(CHECK_ANSWERS).nullable(),
        })
        .nullable(),
      in_flight: inFlight,
      /** In progress over earlier credentials, which have to stay valid until it ends. */
      earlier_in_flight: inFlight,
    }),
  ),
});

export type ProvidersOutput = z.input<typeof providersOutput>;
export type ProviderRail = ProvidersOutput['rails'][number];
export type SandboxOffer = ProvidersOutput['sandbox'];
export type ConnectInput = z.input<typeof connectInput>;
