import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';

/** What identifies a key to its holder: its beginning and, where it was kept, its end. */
export const displayKey = ({ prefix, last_four: lastFour }: Pick<ApiKeyOutput, 'prefix' | 'last_four'>): string =>
  `${prefix}…${lastFour}`;

/** Whether the service accepts requests with the key: also with one that is being replaced. */
export const isActive = ({ state }: Pick<ApiKeyOutput, 'state'>): boolean => state === 'active' || state === 'retiring';

/**
 * The order in which permissions are shown: those that take money in or read come first, the one
 * that lets money out last.
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
