import { z } from 'zod';
import { isAsciiEmail, parseEmail, parsePhone } from '#domain/values/contact.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { holdsAddress, isUnprintable } from '#domain/values/typed-name.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { asSent, encodeAsSent, parsed } from './codecs.ts';
import { issue } from './issues/issue-message.ts';

/**
 * Fields that several shapes share. They reject a value with an issue (issues.ts), whose texts are
 * in `src/messages`.
 */

/**
 * Free text; its length counts code points, so that an emoji is one. What can't be stored is
 * rejected, not changed.
 */
export const textInput = (lengthMax: number) =>
  z
    .string({ error: issue('not_text') })
    .refine((text) => text.length <= lengthMax || Array.from(text).length <= lengthMax, {
      error: issue('too_long', { max: lengthMax }),
      abort: true,
    })
    .refine(isStorableText, { error: issue('invalid_characters') })
    .meta({ maxLength: lengthMax });

/** Free text that must not be blank. */
export const filledTextInput = (lengthMax: number) =>
  textInput(lengthMax)
    .refine((text) => text.trim() !== '', { error: issue('empty') })
    .meta({ minLength: 1 });

const nameText = (lengthMax: number) =>
  filledTextInput(lengthMax).refine((text) => !isUnprintable(text), { error: issue('invalid_characters') });
const trimmed = (text: string) => text.trim();

/**
 * A name that others read, some of them in a mail: one line, without characters that hide or turn
 * the text around it.
 */
export const nameInput = (lengthMax: number) => nameText(lengthMax).transform(trimmed);

/**
 * A name that strangers may read in a mail. Anybody may have typed it, so it must not contain an
 * internet address either.
 */
export const strangersNameInput = (lengthMax: number) =>
  nameText(lengthMax)
    .refine((text) => !holdsAddress(text), { error: issue('internet_address') })
    .transform(trimmed);

const emailText = z
  .string({ error: issue('not_text') })
  .refine(isAsciiEmail, { error: issue('not_ascii_email'), abort: true })
  .meta({ format: 'email' });
const phoneText = z.string({ error: issue('not_text') });

/** An e-mail address, normalised. */
export const emailInput = parsed(emailText, parseEmail, String, 'not_email');
export const emailAsSent = parsed(emailText, asSent(parseEmail), encodeAsSent, 'not_email');

/** A Brazilian phone number, as `+55` + DDD + number. */
export const phoneInput = parsed(phoneText, parsePhone, String, 'not_phone');
export const phoneAsSent = parsed(phoneText, asSent(parsePhone), encodeAsSent, 'not_phone');

/** A uuid, in lower case as the database writes it. */
export const uuidInput = parsed(
  z.string({ error: issue('not_text') }).meta({ format: 'uuid' }),
  (text) => (isUuid(text) ? text.toLowerCase() : null),
  String,
  'not_uuid',
);

/**
 * A bigint of the database, such as a cursor or a count, as a text: a JSON number does not hold
 * every one.
 */
export const countText = z.codec(z.string().regex(/^\d{1,18}$/), z.bigint(), { decode: BigInt, encode: String });

/** An instant in an answer: ISO 8601, UTC, with milliseconds. */
export const instantOutput = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (at) => at.toISOString(),
});
