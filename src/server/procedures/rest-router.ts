import { balanceRouter } from './balance.ts';
import { chargesRouter } from './charges.ts';
import { router } from './procedure.ts';
import { transactionsRouter } from './transactions.ts';

/** The procedures that are REST operations; method and path are in their meta. */
export const restRouter = router({ balance: balanceRouter, charges: chargesRouter, transactions: transactionsRouter });
