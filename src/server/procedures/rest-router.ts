import { accountRouter } from './accounts/account.ts';
import { balanceRouter } from './accounts/balance.ts';
import { chargesRouter } from './charges/charges.ts';
import { depositsRouter } from './charges/deposits.ts';
import { router } from './procedure.ts';
import { currenciesRouter } from './quotes/currencies.ts';
import { transactionsRouter } from './transactions/transactions.ts';
import { eventsRouter } from './webhooks/events.ts';
import { withdrawalsRouter } from './withdrawals/withdrawals.ts';

/** The procedures that are REST operations; method and path are in their meta. */
export const restRouter = router({
  charges: chargesRouter,
  deposits: depositsRouter,
  withdrawals: withdrawalsRouter,
  transactions: transactionsRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  events: eventsRouter,
});
