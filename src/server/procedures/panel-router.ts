import { accountRouter } from './accounts/account.ts';
import { balanceRouter } from './accounts/balance.ts';
import { firstStepsRouter } from './accounts/first-steps.ts';
import { termsRouter } from './accounts/terms.ts';
import { keysRouter } from './api-keys/keys.ts';
import { chargesRouter } from './charges/charges.ts';
import { depositsRouter } from './charges/deposits.ts';
import { paymentRouter } from './charges/payment.ts';
import { kycRouter } from './kyc/kyc.ts';
import { peopleRouter } from './members/people.ts';
import { preferencesRouter } from './members/preferences.ts';
import { securityRouter } from './members/security.ts';
import { sessionRouter } from './members/session.ts';
import { router } from './procedure.ts';
import { currenciesRouter } from './quotes/currencies.ts';
import { overviewRouter } from './reports/overview.ts';
import { statementRouter } from './reports/statement.ts';
import { requestsRouter } from './requests/requests.ts';
import { sandboxRouter } from './sandbox/sandbox.ts';
import { detailRouter } from './transactions/detail.ts';
import { liveRouter } from './transactions/live.ts';
import { searchRouter } from './transactions/search.ts';
import { transactionsRouter } from './transactions/transactions.ts';
import { eventsRouter } from './webhooks/events.ts';
import { webhooksRouter } from './webhooks/webhooks.ts';
import { withdrawalPreviewRouter } from './withdrawals/withdrawal-preview.ts';
import { withdrawalsRouter } from './withdrawals/withdrawals.ts';

/** What pages call: the payment page at /api/trpc, the panel at /api/trpc/live and /api/trpc/test. */
export const panelRouter = router({
  payment: paymentRouter,
  session: sessionRouter,
  security: securityRouter,
  people: peopleRouter,
  firstSteps: firstStepsRouter,
  live: liveRouter,
  search: searchRouter,
  detail: detailRouter,
  overview: overviewRouter,
  statement: statementRouter,
  // The REST operations, under the same names.
  charges: chargesRouter,
  deposits: depositsRouter,
  withdrawals: withdrawalsRouter,
  transactions: transactionsRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  events: eventsRouter,
  keys: keysRouter,
  withdrawalPreview: withdrawalPreviewRouter,
  webhooks: webhooksRouter,
  kyc: kycRouter,
  sandbox: sandboxRouter,
  requests: requestsRouter,
  terms: termsRouter,
  preferences: preferencesRouter,
});

export type PanelRouter = typeof panelRouter;
