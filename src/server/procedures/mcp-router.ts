import { accountRouter } from './accounts/account-router.ts';
import { balanceRouter } from './accounts/balance-router.ts';
import { chargesRouter } from './charges/charges-router.ts';
import { disputesRouter } from './disputes/disputes-router.ts';
import { router } from './procedure.ts';
import { currenciesRouter } from './quotes/currencies-router.ts';
import { transactionsRouter } from './transactions/transactions-router.ts';
import { eventsRouter } from './webhooks/events-router.ts';
import { assistantRouter } from './withdrawals/assistant-router.ts';

/**
 * The procedures that the tools at /mcp are made of, under the names that they have everywhere.
 * Which of them are tools is said in tools.ts: what is no tool is not called.
 */
export const mcpRouter = router({
  charges: chargesRouter,
  transactions: transactionsRouter,
  disputes: disputesRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  events: eventsRouter,
  assistant: assistantRouter,
});
