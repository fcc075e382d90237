import { accountRouter } from './account.ts';
import { balanceRouter } from './balance.ts';
import { chargesRouter } from './charges.ts';
import { currenciesRouter } from './currencies.ts';
import { depositsRouter } from './deposits.ts';
import { eventsRouter } from './events.ts';
import { router } from './procedure.ts';
import { transactionsRouter } from './transactions.ts';
import { withdrawalsRouter } from './withdrawals.ts';

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
