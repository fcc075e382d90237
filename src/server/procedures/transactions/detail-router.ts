import { transactionDetailInput, transactionDetailOutput } from '#contract/transactions/transaction-detail.ts';
import { getTransactionDetail } from '#services/transactions/get-transaction-detail.ts';
import { type Approval, getApproval } from '#services/withdrawals/get-approval.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDetail } from './present-detail.ts';

export const detailRouter = router({
  /**
   * A transaction with its records: ledger, webhooks, provider calls, and what can be done with it.
   */
  get: memberProcedure
    .input(transactionDetailInput)
    .output(encoded(transactionDetailOutput))
    .query(async ({ ctx, input }) => {
      const detail = await getTransactionDetail(ctx.deps, ctx.principal.accountId, input.transaction_id);
      const approval = await getApproval(ctx.deps, ctx.member.memberId, detail.whole.id);
      return { ...presentDetail(detail), approval: approval && presentApproval(approval) };
    }),
});

const presentApproval = (approval: Approval) => ({
  asked_by: approval.askedBy,
  asked_by_key: approval.keyId !== null,
  asked_by_assistant: approval.isOfAssistant,
  own: approval.isOwn,
  expires_at: approval.expiresAt,
  outcome: approval.outcome,
  decided_by: approval.decidedBy,
  decided_at: approval.decidedAt,
  reason: approval.reason,
});
