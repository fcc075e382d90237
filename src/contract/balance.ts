import { z } from 'zod';

/** GET /payments/balance; BRL. */
export const balanceOutput = z.object({
  success: z.literal(true),
  data: z.object({
    available_balance: z.number().describe('O que se pode usar, em reais.'),
    pending_balance: z.number().describe('Visto, mas ainda não confirmado pela rede (cripto), em reais.'),
    blocked_balance: z.number().describe('Reservado por saques, devoluções e disputas em andamento, em reais.'),
  }),
});
