import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';

/** What of a key its holder recognises it by: its beginning and, where it was kept, its end. */
export const displayKey = ({ prefix, last_four: lastFour }: Pick<ApiKeyOutput, 'prefix' | 'last_four'>): string =>
  `${prefix}…${lastFour}`;

/** Whether requests with it are answered. */
export const works = ({ state }: Pick<ApiKeyOutput, 'state'>): boolean => state === 'active' || state === 'retiring';

/**
 * What takes money in and reads comes first; what lets money out stands last, apart from the rest.
 */
const SHOWN_ORDER: readonly Permission[] = [
  'charges:write',
  'transactions:read',
  'balance:read',
  'refunds:write',
  'accounts:write',
  'webhooks:write',
  'mcp:use',
  'mcp:withdraw',
  'withdrawals:write',
];

export const inShownOrder = (permissions: readonly Permission[]): Permission[] =>
  SHOWN_ORDER.filter((one) => permissions.includes(one));
