import { z } from 'zod';
import { isAsciiEmail, parseEmail, parsePhone } from '#domain/values/contact.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl, parseBrl, readBrl, toBrl } from '#domain/values/money.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { holdsAddress, isUnprintable } from '#domain/values/typed-name.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { issue } from './issues/issue-message.ts';

/** The fields that several shapes share. What they refuse they name by an issue; its texts are in issues/. */

/**
 * What the OpenAPI document says of an amount in BRL. It is for those who read the document: our own check of two decimals is
 * `parseBrl`, because in binary 0.07 is no multiple of 0.01.
 */
const BRL_STEPS = { format: 'double', multipleOf: 0.01 };

/** For the OpenAPI document, which can't see into a check. */
export const BRL_RANGE = { ...BRL_STEPS, minimum: 0.01, maximum: toBrl(AMOUNT_CENTAVOS_MAX) };

/** An amount in BRL that we answer: whole centavos, as a JSON number. */
export const brlOutput = z.number().meta(BRL_STEPS);

/** An amount in BRL: a JSON number, above zero, at most two decimals (a third is refused, never rounded). */
export const brlInput = z
  .number({ error: issue('not_amount') })
  .refine((value) => parseBrl(value) !== null, { error: issue('not_amount'), abort: true })
  .refine((value) => (parseBrl(value) ?? 0n) <= AMOUNT_CENTAVOS_MAX, {
    error: issue('amount_too_large', { max: formatBrl(AMOUNT_CENTAVOS_MAX) }),
  })
  .meta({ ...BRL_RANGE, description: 'Valor em reais, com no máximo duas casas decimais.' });

/**
 * The amount of an operation that has a range: any number of reais with at most two decimals. One below or above the range is
 * the operation's own error, after what is checked before it.
 */
export const rangedBrlInput = z
  .number({ error: issue('not_amount') })
  .refine((value) => readBrl(value) !== null, { error: issue('not_amount') })
  .meta({ ...BRL_RANGE, description: 'Valor em reais, com no máximo duas casas decimais.' });

/** Free text; its length counts code points, so that an emoji is one. What can't be stored is refused, not changed. */
export const textInput = (lengthMax: number) =>
  z
    .string({ error: issue('not_text') })
    .refine((text) => text.length <= lengthMax || Array.from(text).length <= lengthMax, {
      error: issue('too_long', { max: lengthMax }),
      abort: true,
    })
    .refine(isStorableText, { error: issue('invalid_characters') })
    .meta({ maxLength: lengthMax });

/** The same, where an empty one would say nothing. */
export const filledTextInput = (lengthMax: number) =>
  textInput(lengthMax)
    .refine((text) => text.trim() !== '', { error: issue('empty') })
    .meta({ minLength: 1 });

/** A name that others read, some of them in a mail: one line, without characters that hide or turn the text around it. */
export const nameInput = (lengthMax: number) =>
  filledTextInput(lengthMax).refine((text) => !isUnprintable(text), { error: issue('invalid_characters') });

/** A name that strangers may read in a mail, typed by whom nobody knows: nor does it hold an address of the internet. */
export const strangersNameInput = (lengthMax: number) =>
  nameInput(lengthMax).refine((text) => !holdsAddress(text), { error: issue('internet_address') });

export const emailInput = z
  .string({ error: issue('not_text') })
  .refine(isAsciiEmail, { error: issue('not_ascii_email'), abort: true })
  .refine((text) => parseEmail(text) !== null, { error: issue('not_email') })
  .meta({ format: 'email' });

export const phoneInput = z
  .string({ error: issue('not_text') })
  .refine((text) => parsePhone(text) !== null, { error: issue('not_phone') });

export const uuidInput = z
  .string({ error: issue('not_text') })
  .refine(isUuid, { error: issue('not_uuid') })
  .meta({ format: 'uuid' });

/** An instant on the wire: ISO 8601, UTC, with milliseconds. */
export const instantOutput = z.iso.datetime({ precision: 3 });
