import { kycDocumentInput, kycFormInput, verificationOutput } from '#contract/kyc/kyc.ts';
import { getVerification } from '#services/kyc/get-verification.ts';
import { removeKycDocument } from '#services/kyc/manage-kyc-documents.ts';
import { submitVerification } from '#services/kyc/submit-verification.ts';
import { presentDocument } from '../../panel/present-document.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** What the operator may want to see before a suspension ends. */
const ofMerchant = memberProcedure.meta({ whileSuspended: true });

/** A merchant's verification; its documents come and go over /upload and /download. */
export const kycRouter = router({
  get: memberProcedure.output(encoded(verificationOutput)).query(async ({ ctx: { deps, member } }) => {
    const { status, canSubmit, form, merchant, submissions, submitted, documents } = await getVerification(
      deps,
      member.merchantId,
    );
    return {
      status,
      can_submit: canSubmit,
      form,
      merchant: { name: merchant.name, document: merchant.document, document_type: merchant.documentType },
      submissions: submissions.map(({ id, kind, decision, reason, submittedAt, decidedAt }) => ({
        id,
        kind,
        decision,
        reason,
        submitted_at: submittedAt,
        decided_at: decidedAt,
      })),
      submitted: submitted.map(presentDocument),
      documents: documents.map(presentDocument),
    };
  }),

  removeDocument: ofMerchant.input(kycDocumentInput).mutation(async ({ ctx, input }) => {
    const { deps, member, panel } = ctx;
    await removeKycDocument(deps, { member, origin: panel.origin }, input.document_id);
  }),

  submit: ofMerchant.input(kycFormInput).mutation(async ({ ctx, input }) => {
    const { deps, member, panel } = ctx;
    await submitVerification(deps, { member, origin: panel.origin }, input);
  }),
});
