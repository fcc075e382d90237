import { z } from 'zod';
import { toDecimal } from '#domain/values/money.ts';
import type { Outcome, PixKeyQuery, PixReceiver } from '../ports.ts';
import { done, read, settle } from './answer.ts';
import { type ApiPixClientOptions, createApiPixClient } from './api-pix-client.ts';
import { saysNotFound } from './problem.ts';
import { receiver } from './receiver.ts';

/** A scope of the sandbox's own, beside the standard's. */
const SCOPE = 'key.read';

type KeyOwners = {
  find(query: PixKeyQuery, deadline: number): Promise<Outcome<PixReceiver | null>>;
  close(): Promise<void>;
};

/**
 * Finds the owner of a PIX key before it is paid: `POST /v1/chaves/titular`, which the sandbox has
 * and Efí has not (docs/adr/0018-receiver-of-a-pix-withdrawal.md). The key goes in the body,
 * because paths are logged. A name that can't be read makes the answer unusable, because a payout
 * may depend on it.
 */
export function createKeyOwners(options: ApiPixClientOptions): KeyOwners {
  const client = createApiPixClient(options, SCOPE);
  return {
    async find({ pixKey, amountCentavos }, deadline) {
      const body = JSON.stringify({ chave: pixKey, valor: toDecimal(amountCentavos) });
      const { reply } = await client.send({ method: 'POST', path: '/v1/chaves/titular', body }, deadline);
      if (reply.kind === 'answered' && saysNotFound(reply.status, reply.json)) return done(null);
      return settle(reply, (json) => read(owner, json), [...client.secrets, pixKey]);
    },
    close: client.close,
  };
}

const owner = z
  .object({ titular: receiver })
  .transform(({ titular }) => titular)
  .pipe(z.custom<PixReceiver>((value) => value !== null));
