import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { countText, instantOutput } from '../fields.ts';
import { transactionDetailOutput } from '../transactions/transaction-detail.ts';
import { disputeOutput } from './disputes.ts';

/** Panel only: a case and its payment. */
export const disputeCaseInput = z.object({ dispute_id: z.string() });

export const disputeFileInput = z.object({ dispute_id: z.string(), file_id: z.string() });

/** Evidence that the merchant handed in. */
export const disputeFileOutput = z.object({
  file_id: z.uuid(),
  file_name: z.string(),
  bytes: z.number(),
  uploaded_at: instantOutput,
});

export const disputeCaseOutput = z.object({
  dispute: disputeOutput.shape.data,
  files: z.array(disputeFileOutput),
  /**
   * The entry that credited the payment, as the signed head of its day has it; null: the day is not
   * closed yet. Hashes and keys are hexadecimal.
   */
  proof: z
    .object({
      entry: countText,
      amount: brlOutput,
      at: instantOutput,
      link: z.string(),
      day: z.iso.date(),
      head_hash: z.string(),
      public_key: z.string(),
      signed_at: instantOutput,
    })
    .nullable(),
  /** It waits for an answer, and the deadline has not passed. */
  answerable: z.boolean(),
  /** As the transaction's own page has them, people's numbers masked. */
  payment: transactionDetailOutput.pick({ transaction: true, fee: true, timeline: true, deliveries: true }),
});

export type DisputeCaseView = z.input<typeof disputeCaseOutput>;
