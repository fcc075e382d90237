import { z } from 'zod';
import { instantOutput } from '../fields.ts';

/** Panel only: the last signed head of the ledger proof, and what it has of the account. */
export const proofOutput = z.object({
  /** Null while no day was closed. Hashes and keys are hexadecimal. */
  head: z
    .object({
      day: z.iso.date(),
      hash: z.string(),
      public_key: z.string(),
      signed_at: instantOutput,
      /** Of the audit's head of the same day, which has the same signature's key. */
      audit_hash: z.string().nullable(),
    })
    .nullable(),
  /** Of the account; 0: the head has none, and there is no file. */
  entries: z.number(),
});

export type ProofOutput = z.input<typeof proofOutput>;

/** The query of the file: the day up to which it proves the entries; absent: the last head's. */
export const proofFileInput = z.object({ day: z.iso.date().optional() });
