import { operatorRouterOf } from './operator-procedure.ts';
import { operatorSessionRouter } from './operator-session-router.ts';

/** What the console's pages call, at /operator/api/trpc. */
export const operatorRouter = operatorRouterOf({
  session: operatorSessionRouter,
});

export type OperatorRouter = typeof operatorRouter;
