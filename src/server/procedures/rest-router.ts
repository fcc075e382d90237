import { accountRouter } from './accounts/account-router.ts';
import { balanceRouter } from './accounts/balance-router.ts';
import { testClockRouter } from './accounts/test-clock-router.ts';
import { chargesRouter } from './charges/charges-router.ts';
import { depositsRouter } from './charges/deposits-router.ts';
import { disputesRouter } from './disputes/disputes-router.ts';
import { payeesRouter } from './payees/payees-router.ts';
import { router } from './procedure.ts';
import { currenciesRouter } from './quotes/currencies-router.ts';
import { transactionsRouter } from './transactions/transactions-router.ts';
import { endpointsRouter } from './webhooks/endpoints-router.ts';
import { eventsRouter } from './webhooks/events-router.ts';
import { withdrawalsRouter } from './withdrawals/withdrawals-router.ts';

/** The routers whose procedures are REST operations; method and path are in their meta. */
export const restRouters = {
  charges: chargesRouter,
  deposits: depositsRouter,
  withdrawals: withdrawalsRouter,
  transactions: transactionsRouter,
  disputes: disputesRouter,
  payees: payeesRouter,
  balance: balanceRouter,
  currencies: currenciesRouter,
  account: accountRouter,
  events: eventsRouter,
  endpoints: endpointsRouter,
  testClock: testClockRouter,
};

export const restRouter = router(restRouters);
