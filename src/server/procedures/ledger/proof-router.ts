import { proofOutput } from '#contract/ledger/proof-output.ts';
import { getProofSummary } from '#services/ledger/get-proof-summary.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

/** The ledger proof, as far as a page shows it; the proof itself is a file. */
export const proofRouter = router({
  get: memberProcedure.output(encoded(proofOutput)).query(async ({ ctx: { deps, principal } }) => {
    const { head, auditHash, entries } = await getProofSummary(deps, principal.accountId);
    return {
      head: head && {
        day: head.day,
        hash: head.hash,
        public_key: head.publicKey,
        signed_at: head.signedAt,
        audit_hash: auditHash,
      },
      entries,
    };
  }),
});
