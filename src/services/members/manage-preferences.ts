import { findPreferences, type PreferencesChange, updatePreferences } from '#db/members/member-preferences.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type OptionalNotice, wantedNotices } from '#domain/notices/notice-kinds.ts';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { setAccount } from '../accounts/set-account.ts';
import type { Member, Origin, Principal } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * A member's language and theme, and which notices they want. Errors: not_signed_in, when the
 * member is gone.
 */
export async function getPreferences(
  deps: Pick<Deps, 'db'>,
  member: Member,
): Promise<{ language: string | null; theme: string | null; notifications: Record<OptionalNotice, boolean> }> {
  const found = await findPreferences(deps.db, member.memberId);
  if (!found) throw new DomainError('not_signed_in');
  return { ...found, notifications: wantedNotices(found.notifications) };
}

/** Changes how the pages look to this member, or what they are notified of. */
export const setPreferences = (
  deps: Pick<Deps, 'db' | 'clock'>,
  member: Member,
  change: PreferencesChange,
): Promise<void> => updatePreferences(deps.db.pool, member.memberId, change, ownTime(deps));

/**
 * Sets the currency of the account's crypto charges and withdrawals where none is chosen; null:
 * none.
 */
export async function setDefaultCurrency(
  deps: Deps,
  who: { member: Member; origin: Origin; account: Principal },
  currency: CurrencyCode | null,
): Promise<void> {
  const { member, origin } = who;
  const { accountId } = who.account;
  await setAccount(deps, {
    accountId,
    account: { currency },
    merchant: {},
    fees: [],
    limits: [],
    rails: [],
    webhookUrl: undefined,
    credentials: [],
    audit: (before) =>
      memberEntry(deps, { member, origin, accountId }, 'account.currency_set', {
        from: before.currency,
        to: currency,
      }),
  });
}
