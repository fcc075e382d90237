import { z } from 'zod';
import { isDay } from '#domain/reports/statement-period.ts';
import { textInput } from './fields.ts';
import { issue } from './issues/issue-message.ts';

/** Longer than any name, or any text of an action. */
const SEARCH_LENGTH_MAX = 100;

const searchedText = textInput(SEARCH_LENGTH_MAX)
  .optional()
  .transform((text) => text?.trim() || null);
const day = z
  .string({ error: issue('not_day') })
  .refine((text) => text === '' || isDay(text), { error: issue('not_day') })
  .optional()
  .transform((text) => text || null);

/** Filters of the audit, in the panel and in the console. An empty one does not filter. */
export const auditSearchFields = {
  /** Part of what an action is called. */
  text: searchedText,
  /** Part of the name of who acted. */
  who: searchedText,
  /** Days of São Paulo, both included. */
  from: day,
  to: day,
};

export const auditChangeOutput = z.object({
  name: z.string(),
  /** Null: it was not noted, or there was nothing. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
