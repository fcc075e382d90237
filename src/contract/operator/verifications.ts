import { z } from 'zod';
import { KYC_KINDS } from '#domain/kyc/kyc.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { kycDocumentOutput } from '../kyc/kyc.ts';
import { reasonInput } from './accounts.ts';

const caseOutput = z.object({
  id: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  email: z.string(),
  document: z.string(),
  kind: z.enum(KYC_KINDS),
  decision: z.enum(['submitted', 'approved', 'rejected']),
  reason: z.string().nullable(),
  submitted_at: instantOutput,
  decided_at: instantOutput.nullable(),
});

export const verificationsInput = z.object({ waiting: z.boolean().default(true) });
export const verificationsOutput = z.object({ verifications: z.array(caseOutput) });

export const operatorVerificationInput = z.object({ id: uuidInput });
export const operatorVerificationOutput = z.object({
  verification: caseOutput,
  /** What was typed, by field. */
  form: z.record(z.string(), z.string()),
  documents: z.array(kycDocumentOutput),
});

export const rejectVerificationInput = z.object({ id: uuidInput, reason: reasonInput });
