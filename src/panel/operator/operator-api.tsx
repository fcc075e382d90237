import { createTRPCReact } from '@trpc/react-query';
import type { OperatorRouter } from '#server/procedures/operator/operator-router.ts';

/** The console's procedures as hooks. */
export const operatorApi = createTRPCReact<OperatorRouter>();
