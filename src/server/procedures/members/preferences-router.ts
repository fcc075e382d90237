import {
  preferencesOutput,
  setCurrencyInput,
  setLookInput,
  setNotificationInput,
} from '#contract/members/preferences.ts';
import { CURRENCIES, CURRENCY_CODES } from '#domain/quotes/currencies.ts';
import { storedLanguage } from '#domain/values/language.ts';
import { getPreferences, setDefaultCurrency, setPreferences } from '#services/members/manage-preferences.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

const ofMember = memberProcedure.meta({ whileSuspended: true });

/** What a member chooses for themselves, and the account's default currency. */
export const preferencesRouter = router({
  get: memberProcedure.output(encoded(preferencesOutput)).query(async ({ ctx: { deps, principal, member } }) => {
    const { language, theme, notifications } = await getPreferences(deps, member);
    return {
      currency: principal.currency,
      currencies: CURRENCY_CODES.map((code) => ({ code, name: CURRENCIES[code].name })),
      language: storedLanguage(language),
      theme: theme === 'light' || theme === 'dark' ? theme : null,
      notifications,
      email: member.email,
    };
  }),

  setCurrency: memberProcedure.input(setCurrencyInput).mutation(async ({ ctx, input }) => {
    const { deps, member, principal, panel } = ctx;
    await setDefaultCurrency(deps, { member, origin: panel.origin, account: principal }, input.currency);
  }),

  setLook: ofMember.input(setLookInput).mutation(async ({ ctx: { deps, member }, input }) => {
    const { language, theme } = input;
    await setPreferences(deps, member, {
      ...(language === undefined ? {} : { language }),
      ...(theme === undefined ? {} : { theme }),
    });
  }),

  setNotification: ofMember.input(setNotificationInput).mutation(async ({ ctx: { deps, member }, input }) => {
    await setPreferences(deps, member, { notifications: { [input.notification]: input.wanted } });
  }),
});
