import { paymentRouter } from './payment.ts';
import { router } from './procedure.ts';

/** What pages call, at /api/trpc. */
export const panelRouter = router({ payment: paymentRouter });

export type PanelRouter = typeof panelRouter;
