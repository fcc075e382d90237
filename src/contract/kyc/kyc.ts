import { z } from 'zod';
import { KYC_DOCUMENT_KINDS, KYC_KINDS, type KycKind } from '#domain/kyc/kyc.ts';
import { KYC_FIELDS, type KycField, type KycFieldFault, kycFieldFault } from '#domain/kyc/kyc-form.ts';
import { instantOutput, uuidInput } from '../fields.ts';

/** What is wrong with a field, for whoever calls without the form; the form says it in its reader's language. */
const FAULT_TEXTS: Record<KycFieldFault, string> = {
  empty: 'Não pode ser vazio.',
  too_long: 'Texto longo demais.',
  characters: 'Contém caracteres inválidos.',
  cpf: 'Deve ser um CPF válido.',
  cnpj: 'Deve ser um CNPJ válido.',
  date: 'Deve ser uma data (AAAA-MM-DD).',
  future: 'Não pode ser uma data futura.',
  minor: 'É preciso ter 18 anos ou mais.',
  zip: 'Deve ser um CEP com oito dígitos.',
  state: 'Deve ser a sigla de um estado.',
  reais: 'Deve ser um valor inteiro em reais, maior que zero.',
  site: 'Deve ser um endereço como https://loja.com.br.',
};

/** Far above every field's own length: the check of a field reads no more than this. */
const TEXT_LENGTH_MAX = 1_000;

const fieldInput = (kind: KycKind, field: string) =>
  z
    .string({ error: 'Deve ser um texto.' })
    .max(TEXT_LENGTH_MAX, { error: FAULT_TEXTS.too_long, abort: true })
    .check(({ value, issues }) => {
      const fault = kycFieldFault(kind, field, value);
      if (fault) issues.push({ code: 'custom', message: FAULT_TEXTS[fault], input: value });
    });

const fieldsOf = <K extends KycKind>(kind: K) =>
  Object.fromEntries(Object.keys(KYC_FIELDS[kind]).map((field) => [field, fieldInput(kind, field)])) as Record<
    KycField<K>,
    ReturnType<typeof fieldInput>
  >;

/** What a merchant types to be verified: of a company or of a person. All of it is text. */
export const kycFormInput = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('company'), ...fieldsOf('company') }),
    z.object({ kind: z.literal('person'), ...fieldsOf('person') }),
  ],
  { error: 'Deve ser company ou person.' },
);

export const kycDocumentInput = z.object({ document_id: uuidInput });

export const kycDocumentOutput = z.object({
  id: z.uuid(),
  kind: z.enum(KYC_DOCUMENT_KINDS),
  file_name: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  uploaded_at: instantOutput,
});

const submissionOutput = z.object({
  id: z.uuid(),
  kind: z.enum(KYC_KINDS),
  decision: z.enum(['submitted', 'approved', 'rejected']),
  /** What has to be mended, in the operator's words. */
  reason: z.string().nullable(),
  submitted_at: instantOutput,
  decided_at: instantOutput.nullable(),
});

export const verificationOutput = z.object({
  status: z.enum(['pending', 'approved', 'rejected']),
  can_submit: z.boolean(),
  /** What was typed last time, to go on from; null before the first. */
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

export type VerificationOutput = z.infer<typeof verificationOutput>;
export type KycDocumentOutput = z.infer<typeof kycDocumentOutput>;

/** The answer to an upload that was refused: `fault` names what is wrong with the file, else with the request. */
export type UploadRefusal = { fault: string };
