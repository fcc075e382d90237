import { z } from 'zod';
import { issue } from './issues/issue-message.ts';
import { named, nameOf } from './named.ts';

/** Fields that filter and page the lists over REST; query parameters are texts. */

/** A page that a person reads, and the most that one answer carries. */
const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;

const LIMIT_ISSUE = issue('not_integer', { min: 1, max: PAGE_MAX });

/** How many rows a page has; `description` says of what. */
export const limitInput = (description: string) =>
  z
    .string({ error: LIMIT_ISSUE })
    .regex(/^\d{1,3}$/, { error: LIMIT_ISSUE })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_MAX, { error: LIMIT_ISSUE })
    .default(PAGE_DEFAULT)
    .meta({ description, override: { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT } });

/**
 * One or several of a named set, separated by commas; `description` says of what. Empty where it
 * is not sent.
 */
export const listOf = <T extends string>(one: z.ZodEnum<Record<T, T>>, description: string) => {
  const values: readonly string[] = one.options;
  const error = issue('not_some_of', { values: values.join(', ') });
  return z
    .string({ error })
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts): parts is T[] => parts.every((part) => values.includes(part)), { error })
    .meta({ description, override: { type: 'array', items: { ...nameOf(one), type: 'string', enum: [...values] } } })
    .optional()
    .transform((parts): readonly T[] => parts ?? []);
};

export const instantInput = named(
  'InstantOrDate',
  z.codec(z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: issue('not_date') }), z.date(), {
    decode: (text) => new Date(text),
    encode: (at) => at.toISOString(),
  }),
);

/** An instant with its description, and how a day without a time is read. */
export const describedInstant = (description: string) =>
  instantInput.describe(`${description} Um dia sem hora, como 2026-11-20, é a meia-noite dele em UTC.`);

/** A parameter that need not be sent: null then. Unlike in a body, there is no null to send. */
export const optionalParameter = <T extends z.ZodType>(field: T) =>
  field.optional().transform((value): z.output<T> | null => value ?? null);
