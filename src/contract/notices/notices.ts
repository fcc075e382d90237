import { z } from 'zod';
import { languages } from '#domain/values/language.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { instantInput } from '../query-fields.ts';

/** `language`: that of the page. */
export const noticesInput = z.object({
  language: z.enum(languages, { error: issue('not_one_of', choiceOf(languages)) }),
});

/** The newest notices of a member, newest first. */
export const noticesOutput = z.object({
  notices: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** What it happened to, where the text does not say it: a key, an address, a person. */
      about: z.string().nullable(),
      security: z.boolean(),
      /** Of the panel, without its mode. */
      page: z.string(),
      created_at: instantOutput,
      read: z.boolean(),
    }),
  ),
  /** When they were read from the database: what is marked as read came up to here. */
  as_of: instantOutput,
});

export type NoticesOutput = z.input<typeof noticesOutput>;

export const noticeInput = z.object({ id: uuidInput });

/** `until`: when the list was read that the member has before them. */
export const readNoticesInput = z.object({ until: instantInput });
