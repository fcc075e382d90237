import { firstStepsRouter } from './accounts/first-steps-router.ts';
import { termsRouter } from './accounts/terms-router.ts';
import { keysRouter } from './api-keys/keys-router.ts';
import { paymentRouter } from './charges/payment-router.ts';
import { customersRouter } from './customers/customers-router.ts';
import { disputeCaseRouter } from './disputes/dispute-case-router.ts';
import { kycRouter } from './kyc/kyc-router.ts';
import { proofRouter } from './ledger/proof-router.ts';
import { peopleRouter } from './members/people-router.ts';
import { preferencesRouter } from './members/preferences-router.ts';
import { securityRouter } from './members/security-router.ts';
import { sessionRouter } from './members/session-router.ts';
import { noticesRouter } from './notices/notices-router.ts';
import { addressBookRouter } from './payees/address-book-router.ts';
import { router } from './procedure.ts';
import { providersRouter } from './providers/providers-router.ts';
import { reconciliationRouter } from './reconciliation/reconciliation-router.ts';
import { overviewRouter } from './reports/overview-router.ts';
import { statementRouter } from './reports/statement-router.ts';
import { requestsRouter } from './requests/requests-router.ts';
import { restRouters } from './rest-router.ts';
import { sandboxRouter } from './sandbox/sandbox-router.ts';
import { detailRouter } from './transactions/detail-router.ts';
import { liveRouter } from './transactions/live-router.ts';
import { searchRouter } from './transactions/search-router.ts';
import { unmatchedRouter } from './unmatched/unmatched-router.ts';
import { webhooksRouter } from './webhooks/webhooks-router.ts';
import { approvalsRouter } from './withdrawals/approvals-router.ts';
import { batchesRouter } from './withdrawals/batches-router.ts';
import { thresholdsRouter } from './withdrawals/thresholds-router.ts';
import { withdrawalPreviewRouter } from './withdrawals/withdrawal-preview-router.ts';

/**
 * What pages call: the payment page at /api/trpc, the panel at /api/trpc/live and /api/trpc/test.
 */
export const panelRouter = router({
  payment: paymentRouter,
  session: sessionRouter,
  security: securityRouter,
  people: peopleRouter,
  firstSteps: firstStepsRouter,
  live: liveRouter,
  notices: noticesRouter,
  search: searchRouter,
  detail: detailRouter,
  customers: customersRouter,
  disputeCase: disputeCaseRouter,
  overview: overviewRouter,
  statement: statementRouter,
  proof: proofRouter,
  reconciliation: reconciliationRouter,
  // Under the names that they have over REST.
  ...restRouters,
  keys: keysRouter,
  approvals: approvalsRouter,
  batches: batchesRouter,
  thresholds: thresholdsRouter,
  addressBook: addressBookRouter,
  withdrawalPreview: withdrawalPreviewRouter,
  webhooks: webhooksRouter,
  kyc: kycRouter,
  sandbox: sandboxRouter,
  requests: requestsRouter,
  terms: termsRouter,
  preferences: preferencesRouter,
  unmatched: unmatchedRouter,
  providers: providersRouter,
});

export type PanelRouter = typeof panelRouter;
