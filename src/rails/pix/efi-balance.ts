import { z } from 'zod';
import { fromDecimal } from '#domain/values/money.ts';
import type { Outcome } from '../ports.ts';
import { read, settle } from './answer.ts';
import { type ApiPixClientOptions, createApiPixClient } from './api-pix-client.ts';
import { amount } from './wire.ts';

/** dev.efipay.com.br, "Endpoints exclusivos Efí", "Buscar o saldo da conta". */
const SCOPE = 'gn.balance.read';

type EfiBalance = {
  find(deadline: number): Promise<Outcome<bigint>>;
  close(): Promise<void>;
};

/**
 * Reads the account's balance as Efí has it, in centavos, including what is blocked: `GET
 * /v2/gn/saldo`, below the host of its API for sending. It has a token of its own, so that
 * credentials without this scope can still send.
 */
export function createEfiBalance(options: ApiPixClientOptions): EfiBalance {
  const client = createApiPixClient(options, SCOPE);
  return {
    async find(deadline) {
      const { reply } = await client.send({ method: 'GET', path: '/v2/gn/saldo?bloqueios=true' }, deadline);
      return settle(reply, (json) => read(balance, json), client.secrets);
    },
    close: client.close,
  };
}

/** Below zero where the account is overdrawn. */
const signedAmount = z
  .string()
  .transform((text) => {
    const centavos = fromDecimal(text.replace(/^-/, ''));
    return centavos !== null && text.startsWith('-') ? -centavos : centavos;
  })
  .pipe(z.bigint());

/** `saldo` is what can be spent, `bloqueios` what is held by a court or for a MED case. */
const balance = z
  .object({ saldo: signedAmount, bloqueios: z.object({ total: amount }) })
  .transform(({ saldo, bloqueios }) => saldo + bloqueios.total);
