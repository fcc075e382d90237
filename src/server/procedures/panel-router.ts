import { accountRouter } from './account.ts';
import { balanceRouter } from './balance.ts';
import { chargesRouter } from './charges.ts';
import { currenciesRouter } from './currencies.ts';
import { depositsRouter } from './deposits.ts';
import { keysRouter } from './keys.ts';
import { kycRouter } from './kyc.ts';
import { liveRouter } from './live.ts';
import { overviewRouter } from './overview.ts';
import { paymentRouter } from './payment.ts';
import { router } from './procedure.ts';
import { searchRouter } from './search.ts';
import { sessionRouter } from './session.ts';
import { transactionsRouter } from './transactions.ts';
import { withdrawalPreviewRouter } from './withdrawal-preview.ts';
import { webhooksRouter } from './webhooks.ts';
import { withdrawalsRouter } from './withdrawals.ts';

/** What pages call: the payment page at /api/trpc, the panel at /api/trpc/live and /api/trpc/test. */
export const panelRouter = router({
  payment: paymentRouter,
  session: sessionRouter,
  live: liveRouter,
  search: searchRouter,
  overview: overviewRouter,
  // The REST operations, under the same names.
  charges: chargesRouter,
  deposits: depositsRouter,
  withdrawals: withdrawalsRouter,
  transactions: transactionsRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  keys: keysRouter,
  withdrawalPreview: withdrawalPreviewRouter,
  webhooks: webhooksRouter,
  kyc: kycRouter,
});

export type PanelRouter = typeof panelRouter;
