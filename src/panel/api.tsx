import { createTRPCReact } from '@trpc/react-query';
import type { PanelRouter } from '#server/procedures/panel-router.ts';

/** The panel's procedures as hooks. */
export const api = createTRPCReact<PanelRouter>();
