import { z } from 'zod';
import { PAYEE_LABEL_LENGTH_MAX } from '#domain/payees/payees.ts';
import { NETWORKS } from '#domain/quotes/currencies.ts';
import { instantOutput, nameInput, uuidInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
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

export const payeesOutput = z.object({
  payees: z.array(
    z.object({
      payee_id: z.uuid(),
      label: z.string(),
      /** As DICT spells it; null, with its type, for a wallet. */
      pix_key: z.string().nullable(),
      pix_key_type: pixKeyTypeOutput.nullable(),
      network: z.enum(NETWORKS).nullable(),
      wallet: z.string().nullable(),
      memo: z.string().nullable(),
      /** The member's name. */
      added_by: z.string().nullable(),
      added_at: instantOutput,
      usable_from: instantOutput,
      /** Whether money that goes to payees only does not go to it yet. */
      waits: z.boolean(),
    }),
  ),
});
