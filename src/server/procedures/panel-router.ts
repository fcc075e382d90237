import { accountRouter } from './account.ts';
import { balanceRouter } from './balance.ts';
import { chargesRouter } from './charges.ts';
import { currenciesRouter } from './currencies.ts';
import { depositsRouter } from './deposits.ts';
import { paymentRouter } from './payment.ts';
import { router } from './procedure.ts';
import { transactionsRouter } from './transactions.ts';
import { withdrawalsRouter } from './withdrawals.ts';

/** What pages call: the payment page at /api/trpc, the panel at /api/trpc/live and /api/trpc/test. */
export const panelRouter = router({
  payment: paymentRouter,
  // The REST operations, under the same names.
  charges: chargesRouter,
  deposits: depositsRouter,
  withdrawals: withdrawalsRouter,
  transactions: transactionsRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
});

export type PanelRouter = typeof panelRouter;
