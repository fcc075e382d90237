import { accountRouter } from './accounts/account-router.ts';
import { balanceRouter } from './accounts/balance-router.ts';
import { disputesRouter } from './disputes/disputes-router.ts';
import { router } from './procedure.ts';
import { currenciesRouter } from './quotes/currencies-router.ts';
import { transactionsRouter } from './transactions/transactions-router.ts';
import { eventsRouter } from './webhooks/events-router.ts';

/**
 * The procedures that the tools at /mcp are made of, under the names that they have everywhere.
 * Which of them are tools is said in tools.ts: what is no tool is not called.
 */
export const mcpRouter = router({
  transactions: transactionsRouter,
  disputes: disputesRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  events: eventsRouter,
});
