import { z } from 'zod';
import { DECLINE_REASON_LENGTH_MAX } from '#domain/withdrawals/approvals.ts';
import { filledTextInput } from '../fields.ts';

/** Panel only: what a second person decides about a withdrawal that waits. */
export const approveInput = z.object({ transaction_id: z.string() });

export const declineInput = z.object({
  transaction_id: z.string(),
  reason: filledTextInput(DECLINE_REASON_LENGTH_MAX).transform((text) => text.trim()),
});
