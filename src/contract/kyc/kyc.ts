import { z } from 'zod';
import { KYC_DOCUMENT_KINDS, KYC_KINDS, type KycKind } from '#domain/kyc/kyc.ts';
import { KYC_FIELDS, type KycField, kycFieldIssue } from '#domain/kyc/kyc-form.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { choiceOf, issue, messageOf } from '../issues/issue-message.ts';

/** Far above every field's own length: the check of a field reads no more than this. */
const TEXT_LENGTH_MAX = 1_000;

const fieldInput = (kind: KycKind, field: string) =>
  z
    .string({ error: issue('not_text') })
    .max(TEXT_LENGTH_MAX, { error: issue('too_long', { max: TEXT_LENGTH_MAX }), abort: true })
    .check(({ value, issues }) => {
      const found = kycFieldIssue(kind, field, value);
      if (found) issues.push({ code: 'custom', message: messageOf(found), input: value });
    });

const fieldsOf = <K extends KycKind>(kind: K) =>
  Object.fromEntries(Object.keys(KYC_FIELDS[kind]).map((field) => [field, fieldInput(kind, field)])) as Record<
    KycField<K>,
    ReturnType<typeof fieldInput>
  >;

/** The form of a verification, of a company or of a person. All of its fields are texts. */
export const kycFormInput = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('company'), ...fieldsOf('company') }),
    z.object({ kind: z.literal('person'), ...fieldsOf('person') }),
  ],
  { error: issue('not_one_of', choiceOf(KYC_KINDS)) },
);

export const kycDocumentInput = z.object({ document_id: uuidInput });

export const kycDocumentOutput = z.object({
  id: z.uuid(),
  kind: z.enum(KYC_DOCUMENT_KINDS),
  file_name: z.string(),
  bytes: z.number(),
});

const submissionOutput = z.object({
  id: z.uuid(),
  kind: z.enum(KYC_KINDS),
  decision: z.enum(['submitted', 'approved', 'rejected']),
  /** What has to be corrected, in the operator's words. */
  reason: z.string().nullable(),
  submitted_at: instantOutput,
  decided_at: instantOutput.nullable(),
});

export const verificationOutput = z.object({
  status: z.enum(['pending', 'approved', 'rejected']),
  can_submit: z.boolean(),
  /** The last form that was sent, to continue from; null before the first. */
  form: z.union([
    z.object({ kind: z.literal('company'), ...textsOf('company') }),
    z.object({ kind: z.literal('person'), ...textsOf('person') }),
    z.null(),
  ]),
  merchant: z.object({ name: z.string(), document: z.string(), document_type: z.enum(['cpf', 'cnpj']) }),
  /** Newest first. */
  submissions: z.array(submissionOutput),
  /** Of the newest submission. */
  submitted: z.array(kycDocumentOutput),
  /** Not handed in yet. */
  documents: z.array(kycDocumentOutput),
});

function textsOf<K extends KycKind>(kind: K) {
  const fields = Object.keys(KYC_FIELDS[kind]).map((field) => [field, z.string()]);
  return Object.fromEntries(fields) as Record<KycField<K>, z.ZodString>;
}

export type VerificationOutput = z.input<typeof verificationOutput>;
export type KycDocumentOutput = z.input<typeof kycDocumentOutput>;
