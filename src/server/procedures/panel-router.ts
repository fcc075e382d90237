import { accountRouter } from './account.ts';
import { balanceRouter } from './balance.ts';
import { chargesRouter } from './charges.ts';
import { currenciesRouter } from './currencies.ts';
import { depositsRouter } from './deposits.ts';
import { detailRouter } from './detail.ts';
import { eventsRouter } from './events.ts';
import { firstStepsRouter } from './first-steps.ts';
import { keysRouter } from './keys.ts';
import { kycRouter } from './kyc.ts';
import { liveRouter } from './live.ts';
import { overviewRouter } from './overview.ts';
import { paymentRouter } from './payment.ts';
import { peopleRouter } from './people.ts';
import { preferencesRouter } from './preferences.ts';
import { router } from './procedure.ts';
import { requestsRouter } from './requests.ts';
import { sandboxRouter } from './sandbox.ts';
import { searchRouter } from './search.ts';
import { securityRouter } from './security.ts';
import { sessionRouter } from './session.ts';
import { statementRouter } from './statement.ts';
import { termsRouter } from './terms.ts';
import { transactionsRouter } from './transactions.ts';
import { webhooksRouter } from './webhooks.ts';
import { withdrawalPreviewRouter } from './withdrawal-preview.ts';
import { withdrawalsRouter } from './withdrawals.ts';

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
