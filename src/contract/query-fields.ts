import { z } from 'zod';

/** What the lists over REST are filtered and read page by page with; query parameters are texts. */

/** A page that a person reads, and the most that one answer carries. */
const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;

const LIMIT_MESSAGE = `Deve ser um número inteiro de 1 a ${PAGE_MAX}.`;

/** How many rows a page has; `description` says of what. */
export const limitInput = (description: string) =>
  z
    .string({ error: LIMIT_MESSAGE })
    .regex(/^\d{1,3}$/, { error: LIMIT_MESSAGE })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_MAX, { error: LIMIT_MESSAGE })
    .default(PAGE_DEFAULT)
    .meta({ description, override: { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT } });

/** One or several of a set, separated by commas. */
export const listOf = <T extends string>(values: readonly T[]) =>
  z
    .string({ error: `Envie um ou mais de: ${values.join(', ')}.` })
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts): parts is T[] => parts.every((part) => (values as readonly string[]).includes(part)), {
      error: `Envie um ou mais de: ${values.join(', ')}.`,
    })
    .meta({ override: { type: 'array', items: { type: 'string', enum: [...values] } } });

export const instantInput = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'Deve ser uma data ISO 8601, ex.: 2026-11-20T00:00:00Z.',
  })
  .transform((text) => new Date(text));
