import { operatorAccountsRouter } from './operator-accounts-router.ts';
import { operatorAuditRouter } from './operator-audit-router.ts';
import { operatorDecisionsRouter } from './operator-decisions-router.ts';
import { operatorInstallationRouter } from './operator-installation-router.ts';
import { operatorMailRouter } from './operator-mail-router.ts';
import { operatorOverviewRouter } from './operator-overview-router.ts';
import { operatorRouterOf } from './operator-procedure.ts';
import { operatorQueueRouter } from './operator-queue-router.ts';
import { operatorReconciliationRouter } from './operator-reconciliation-router.ts';
import { operatorSessionRouter } from './operator-session-router.ts';
import { operatorSystemRouter } from './operator-system-router.ts';
import { operatorTermsRouter } from './operator-terms-router.ts';
import { operatorTransactionsRouter } from './operator-transactions-router.ts';
import { operatorVerificationsRouter } from './operator-verifications-router.ts';

/** What the console's pages call, at /operator/api/trpc. */
export const operatorRouter = operatorRouterOf({
  session: operatorSessionRouter,
  overview: operatorOverviewRouter,
  accounts: operatorAccountsRouter,
  transactions: operatorTransactionsRouter,
  verifications: operatorVerificationsRouter,
  decisions: operatorDecisionsRouter,
  reconciliation: operatorReconciliationRouter,
  queue: operatorQueueRouter,
  system: operatorSystemRouter,
  mail: operatorMailRouter,
  audit: operatorAuditRouter,
  installation: operatorInstallationRouter,
  terms: operatorTermsRouter,
});

export type OperatorRouter = typeof operatorRouter;
