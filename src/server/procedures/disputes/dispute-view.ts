import type { z } from 'zod';
import type { disputeCaseOutput, disputeFileOutput } from '#contract/disputes/dispute-case.ts';
import type { disputeListOutput, disputeOutput } from '#contract/disputes/disputes.ts';
import type { OwnDispute } from '#services/disputes/get-dispute.ts';
import type { DisputeCase } from '#services/disputes/get-dispute-case.ts';
import type { ListedDispute } from '#services/disputes/list-own-disputes.ts';

/** A case as the list shows it. */
export const toListedDispute = (dispute: ListedDispute): z.output<typeof disputeListOutput>['data'][number] => ({
  dispute_id: dispute.id,
  transaction_id: dispute.transactionId,
  state: dispute.state,
  reason: dispute.reason,
  amount: dispute.centavos,
  held_amount: dispute.heldCentavos,
  returned_amount: dispute.returnedCentavos,
  opened_at: dispute.openedAt,
  answer_by: dispute.answerBy,
  answer: dispute.answer,
  answered_at: dispute.answeredAt,
  closed_at: dispute.closedAt,
});

/** A case with what was answered. */
export const toDisputeJson = (dispute: OwnDispute): z.output<typeof disputeOutput>['data'] => ({
  ...toListedDispute(dispute),
  answer_text: dispute.answerText,
  answer_sent_at: dispute.answerSentAt,
  answer_rejection: dispute.answerRejection,
  answered_by: dispute.answeredBy,
});

/** A file of evidence as pages see it. */
export const presentDisputeFile = ({
  id,
  fileName,
  bytes,
  uploadedAt,
}: DisputeCase['files'][number]): z.output<typeof disputeFileOutput> => ({
  file_id: id,
  file_name: fileName,
  bytes,
  uploaded_at: uploadedAt,
});

/** The payment's entry in the ledger proof. */
export const presentProof = (
  proof: NonNullable<DisputeCase['proof']>,
): z.output<typeof disputeCaseOutput>['proof'] => ({
  entry: proof.version,
  amount: proof.amountCentavos,
  at: proof.at,
  link: proof.link,
  day: proof.day,
  head_hash: proof.headHash,
  public_key: proof.publicKey,
  signed_at: proof.signedAt,
});
