import { z } from 'zod';
import { PAYEE_LABEL_LENGTH_MAX } from '#domain/payees/payees.ts';
import { NETWORKS } from '#domain/quotes/currencies.ts';
import { instantOutput, nameInput, uuidInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { WALLET_FIELDS } from '../quotes/crypto.ts';
import { checkPixKey, PIX_KEY_FIELDS, pixKeyTypeOutput, readPixKey } from '../withdrawals/pix-withdrawal.ts';

const labelInput = nameInput(PAYEE_LABEL_LENGTH_MAX);

/** Panel only, as is all that changes payees: it asks for a second factor. */
export const addPixKeyInput = z
  .object({ label: labelInput, ...PIX_KEY_FIELDS })
  .check(checkPixKey)
  .transform(({ label, ...key }, payload) => ({ label, ...readPixKey(key, payload) }));

export const addWalletInput = z.object({
  label: labelInput,
  network: z.enum(NETWORKS, { error: issue('not_one_of', choiceOf(NETWORKS)) }),
  ...WALLET_FIELDS,
});

export const payeeInput = z.object({ payee_id: uuidInput });

/** GET /payments/payees */
export const payeesOutput = z.object({
  success: z.literal(true),
  data: z.array(
    named(
      'Payee',
      z.object({
        payee_id: z.uuid(),
        label: z.string().describe('O nome que a conta lhe deu.'),
        pix_key: z
          .string()
          .nullable()
          .describe('A chave normalizada, como o DICT a escreve; null, com o tipo, em uma carteira.'),
        pix_key_type: pixKeyTypeOutput.nullable(),
        network: named('Network', z.enum(NETWORKS))
          .nullable()
          .describe('A rede da carteira; vale para todas as moedas dela.'),
        wallet: z.string().nullable(),
        memo: z.string().nullable().describe('O memo com que é enviado; com outro, é outro destino.'),
        added_by: z.string().nullable().describe('Quem o adicionou.'),
        added_at: instantOutput,
        usable_from: instantOutput.describe('A partir de quando recebe o que só vai para favorecidos.'),
        waits: z.boolean().describe('Se ainda está na espera.'),
      }),
    ),
  ),
});

export type PayeeOutput = z.input<typeof payeesOutput>['data'][number];
