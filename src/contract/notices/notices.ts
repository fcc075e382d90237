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
      /** What it is about, where the text does not say it: a key, an address, a person. */
      about: z.string().nullable(),
      security: z.boolean(),
      /** Of the panel, without its mode. */
      page: z.string(),
      created_at: instantOutput,
      read: z.boolean(),
    }),
  ),
  /** When the list was read: the notices up to here can be marked as read. */
  as_of: instantOutput,
});

export type NoticesOutput = z.input<typeof noticesOutput>;

export const noticeInput = z.object({ id: uuidInput });

/** `until`: `as_of` of the list that the member sees. */
export const readNoticesInput = z.object({ until: instantInput });
