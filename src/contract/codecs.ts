import { z } from 'zod';
import type { IssueCode, ParamsOf } from '#domain/errors/issues.ts';
import { issue } from './issues/issue-message.ts';

/**
 * The parts of which the codecs of the wire's fields are made. A field is parsed once, here: a
 * procedure gets the domain's value, and never parses a text again.
 *
 * What an answer echoes as it was sent (POST /payments/transactions: the customer's e-mail, phone
 * and type of document) is decoded to `AsSent`, which keeps the raw text beside the value; all else
 * that is echoed is the text or the amount itself, which decoding does not change.
 */
export type AsSent<T> = { sent: string; value: T };

/** Wraps a parser so that its value keeps the text that was parsed. */
export const asSent =
  <T>(parse: (text: string) => T | null) =>
  (sent: string): AsSent<T> | null => {
    const value = parse(sent);
    return value === null ? null : { sent, value };
  };

export const encodeAsSent = ({ sent }: AsSent<unknown>): string => sent;

/** The payload that zod passes to a decoder beside the value. */
type Decoding = z.core.ParsePayload;

/**
 * Rejects the value that is being decoded. `abort` skips the checks of the whole object, which
 * compare its fields.
 */
export function reject(payload: Decoding, message: string, { abort = false } = {}): never {
  payload.issues.push({ code: 'custom', message, input: payload.value, continue: !abort });
  return z.NEVER;
}

/**
 * A field that is a text on the wire and that the domain parses. Where `parse` returns null, the
 * field is rejected with the issue `code`.
 */
export const parsed = <T, C extends IssueCode>(
  wire: z.ZodType<string, string>,
  parse: (text: string) => T | null,
  encode: (value: T) => string,
  code: C,
  ...params: ParamsOf<C>
) => {
  const message = issue(code, ...params);
  return z.codec(wire, z.custom<T>(), {
    decode: (text, payload): T => parse(text) ?? reject(payload, message),
    encode,
  });
};

/** A field that may be absent: it is null then, as one that is sent as null. */
export const optional = <T extends z.ZodType>(field: T) =>
  field.nullish().transform((value): z.output<T> | null => value ?? null);
