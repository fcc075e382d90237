import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { named } from '../named.ts';

/** GET /payments/balance; BRL. */
export const balanceOutput = z.object({
  success: z.literal(true),
  data: named(
    'Balance',
    z.object({
      available_balance: brlOutput.describe('O que se pode usar, em reais.'),
      pending_balance: brlOutput.describe('Visto, mas ainda não confirmado pela rede (cripto), em reais.'),
      blocked_balance: brlOutput.describe('Reservado por saques, devoluções e contestações em andamento, em reais.'),
      owed_balance: brlOutput
        .optional()
        .describe(
          'Só quando há: o que a conta deve, em reais, porque um pagamento voltou depois de gasto. O que entra paga isto primeiro.',
        ),
    }),
  ),
});
