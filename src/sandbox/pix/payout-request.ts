import { z } from 'zod';
import { text } from '../body.ts';
import { VALOR } from './cob-request.ts';

/** Efí's idEnvio (dev.efipay.com.br, "Envio e Pagamento Pix"). */
export const ID_ENVIO = /^[a-zA-Z0-9]{1,35}$/;

/**
 * The directory's own spelling of CPF, CNPJ, phone, e-mail and EVP (DICT API, "Chaves"), the only
 * one it accepts.
 */
const DICT_KEY = new RegExp(
  `^(${[
    '[0-9]{11}',
    '[0-9A-Z]{12}[0-9]{2}',
    '\\+[1-9][0-9]{1,14}',
    "[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\\.[a-z0-9-]+)+",
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ].join('|')})$`,
);

/** `PUT /v3/gn/pix/{idEnvio}`, to a key. Unknown fields are ignored. */
export const payoutRequest = z.object({
  valor: z.string().regex(VALOR),
  pagador: z.object({ chave: text(77), infoPagador: text(140).optional() }),
  favorecido: z.object({ chave: text(77).regex(DICT_KEY) }),
});

export type PayoutRequest = z.infer<typeof payoutRequest>;
