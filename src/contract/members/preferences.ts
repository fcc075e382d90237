import { z } from 'zod';
import { OPTIONAL_NOTICES, type OptionalNotice } from '#domain/notices/notice-kinds.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { languages } from '#domain/values/language.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';

const language = z.enum(languages, { error: issue('not_one_of', choiceOf(languages)) });
const themes = z.enum(['light', 'dark'], { error: issue('not_one_of', choiceOf(['light', 'dark'])) });

export const preferencesOutput = z.object({
  /** Of this account's crypto charges and withdrawals where none is chosen; null: none. */
  currency: z.string().nullable(),
  /** What may be chosen, by code. */
  currencies: z.array(z.object({ code: z.string(), name: z.string() })),
  /** Null: what the browser asks for. */
  language: language.nullable(),
  /** Null: what the system says. */
  theme: themes.nullable(),
  notifications: z.object(
    Object.fromEntries(OPTIONAL_NOTICES.map((kind) => [kind, z.boolean()])) as Record<OptionalNotice, z.ZodBoolean>,
  ),
  /** Where their e-mails go. */
  email: z.string(),
});

export type PreferencesOutput = z.input<typeof preferencesOutput>;

export const setCurrencyInput = z.object({
  currency: z
    .string({ error: issue('not_text') })
    .refine((text): text is CurrencyCode => isCurrencyCode(text), { error: issue('unknown_currency') })
    .nullable(),
});

/** The fields that are given change, the others stay. */
export const setLookInput = z.object({
  language: language.nullable().optional(),
  theme: themes.nullable().optional(),
});

export const setNotificationInput = z.object({
  notification: z.enum(OPTIONAL_NOTICES, { error: issue('unknown_notification') }),
  wanted: z.boolean({ error: issue('not_yes_or_no') }),
});
