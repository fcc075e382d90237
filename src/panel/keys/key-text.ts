import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';

/** What of a key its holder recognises it by: its beginning and, where it was kept, its end. */
export const displayKey = ({ prefix, last_four: lastFour }: Pick<ApiKeyOutput, 'prefix' | 'last_four'>): string =>
  `${prefix}…${lastFour}`;

/** Whether requests with it are answered. */
export const works = ({ state }: Pick<ApiKeyOutput, 'state'>): boolean => state === 'active' || state === 'retiring';

/** A key that ends within this time should be rotated now. */
const SOON_MS = 7 * 86_400_000;

/** What the list says of a key: its state, and of one that works and ends soon that it does. */
export type ShownState = ApiKeyOutput['state'] | 'soon';

/** `now` in milliseconds since 1970. */
export function shownState({ state, expires_at: expiresAt }: ApiKeyOutput, now: number): ShownState {
  return state === 'active' && expiresAt !== null && Date.parse(expiresAt) - now < SOON_MS ? 'soon' : state;
}

/**
 * What takes money in and reads comes first; what lets money out stands last, apart from the rest.
 */
const SHOWN_ORDER: readonly Permission[] = [
  'charges:write',
  'transactions:read',
  'balance:read',
  'refunds:write',
  'accounts:write',
  'withdrawals:write',
];

export const inShownOrder = (permissions: readonly Permission[]): Permission[] =>
  SHOWN_ORDER.filter((one) => permissions.includes(one));
