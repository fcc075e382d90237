import { z } from 'zod';

/** GET /payments/balance; BRL. */
export const balanceOutput = z.object({
  success: z.literal(true),
  data: z.object({
    available_balance: z.number(),
    pending_balance: z.number(),
    blocked_balance: z.number(),
  }),
});
