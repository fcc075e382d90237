import { z } from 'zod';
import { issueOf } from '#domain/errors/issues.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import type { Metadata } from '#domain/transactions/metadata.ts';
import { RoundedNumber } from '#domain/values/parse-exact-json.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { optional } from '../codecs.ts';
import { filledTextInput } from '../fields.ts';
import { issue, messageOf } from '../issues/issue-message.ts';
import {
  METADATA_LENGTH_MAX,
  METADATA_NAME_LENGTH_MAX,
  METADATA_NAMES_MAX,
  METADATA_VALUE_LENGTH_MAX,
  REFERENCE_LENGTH_MAX,
} from '../lengths.ts';
import { named, SCHEMA_NAME } from '../named.ts';

/** Plain enough for a column, a parameter or a log of the merchant's, and without `=`. */
const NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${METADATA_NAME_LENGTH_MAX}}$`);
/** As a member it would set the prototype of what a receiver copies it into. */
const PROTOTYPE = '__proto__';

const isMetadataName = (name: string): boolean => NAME.test(name) && name !== PROTOTYPE;

/**
 * Not a record of zod's, which drops a member of some names silently, and can't count code points
 * over all of them.
 */
const metadataInput = z
  .unknown()
  .transform((sent, payload): Metadata => {
    const wrong = (message: string, path: string[] = []) =>
      payload.issues.push({ code: 'custom', message, input: sent, path });
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || sent instanceof RoundedNumber) {
      wrong(issue('not_metadata'));
      return {};
    }
    const pairs = Object.entries(sent);
    const names = pairs.map(([name]) => name);
    if (pairs.length > METADATA_NAMES_MAX) wrong(issue('too_many_names', { max: METADATA_NAMES_MAX }));
    else if (!names.every(isMetadataName)) wrong(issue('not_metadata_name', { max: METADATA_NAME_LENGTH_MAX }));
    else {
      for (const [name, value] of pairs) {
        const found = valueIssue(value);
        if (found) wrong(messageOf(found), [name]);
      }
      const length = pairs.reduce((sum, [name, value]) => sum + name.length + lengthOf(String(value)), 0);
      if (length > METADATA_LENGTH_MAX) wrong(issue('too_long', { max: METADATA_LENGTH_MAX }));
    }
    return Object.fromEntries(pairs);
  })
  .meta({
    override: {
      [SCHEMA_NAME]: 'MetadataInput',
      type: 'object',
      maxProperties: METADATA_NAMES_MAX,
      propertyNames: { type: 'string', pattern: NAME.source },
      additionalProperties: { type: 'string', maxLength: METADATA_VALUE_LENGTH_MAX },
    },
  });

/** In code points, so that an emoji is one. */
const lengthOf = (text: string): number => Array.from(text).length;

function valueIssue(value: unknown) {
  if (typeof value !== 'string') return issueOf('not_text');
  if (lengthOf(value) > METADATA_VALUE_LENGTH_MAX) return issueOf('too_long', { max: METADATA_VALUE_LENGTH_MAX });
  return isStorableText(value) ? null : issueOf('invalid_characters');
}

const referenceInput = filledTextInput(REFERENCE_LENGTH_MAX);

/**
 * A merchant's own fields of a transaction or a refund, all of them optional. `readMerchantFields`
 * combines them.
 */
export const MERCHANT_FIELDS = {
  reference: optional(referenceInput).describe(
    'Referência sua, por exemplo o número do pedido: volta nas respostas, listas, eventos e arquivos, e GET /payments/transactions filtra por ela. O pagador não a vê.',
  ),
  referenceUnique: optional(z.boolean({ error: issue('not_yes_or_no') })).describe(
    'true: a requisição é recusada (409) se outra transação ou devolução da conta já tem esta reference; as que falharam não contam. Sem ele a reference pode se repetir.',
  ),
  metadata: optional(metadataInput).describe(
    `Até ${METADATA_NAMES_MAX} pares seus de nome e texto, ${METADATA_LENGTH_MAX} caracteres ao todo: nomes com letras sem acento, dígitos, _, . e -, de até ${METADATA_NAME_LENGTH_MAX} caracteres; textos de até ${METADATA_VALUE_LENGTH_MAX}. Volta nas respostas, listas, eventos e arquivos; o pagador não o vê.`,
  ),
};

type Fields = { reference: string | null; referenceUnique: boolean | null; metadata: Metadata | null };

/** A check of the whole input: nothing can be unique where there is no reference. */
export function checkMerchantFields({ value, issues }: z.core.ParsePayload<Fields>): void {
  if (value.referenceUnique !== true || value.reference !== null) return;
  const message = issue('required_with', { field: 'referenceUnique' });
  issues.push({ code: 'custom', message, path: ['reference'], input: value.reference });
}

/** The fields as services take them; empty metadata becomes null. */
export const readMerchantFields = ({ reference, referenceUnique, metadata }: Fields): MerchantFields => ({
  reference,
  referenceUnique: referenceUnique === true,
  metadata: metadata !== null && Object.keys(metadata).length > 0 ? metadata : null,
});

/** These fields in answers and events. */
export const MERCHANT_FIELDS_OUTPUT = {
  reference: z.string().nullable().describe('A reference que foi enviada; senão null.'),
  metadata: named('Metadata', z.record(z.string(), z.string()))
    .nullable()
    .describe('O metadata que foi enviado; senão null.'),
};

/** Filters of a list by these fields. */
export const MERCHANT_FILTERS = {
  reference: referenceInput.describe('Só as desta reference, por inteiro, e as que têm uma devolução com ela.'),
  metadata: z
    .string({ error: issue('not_metadata_pair') })
    .refine((text) => isMetadataName(text.slice(0, Math.max(0, text.indexOf('=')))), {
      error: issue('not_metadata_pair'),
    })
    .describe('Só as que têm este par de metadata, escrito nome=texto.'),
};
