/**
 * What an API key may be allowed to do. Reading the account's own profile and the currencies needs
 * none of them.
 */
export const PERMISSIONS = [
  'charges:write',
  'refunds:write',
  'withdrawals:write',
  'transactions:read',
  'balance:read',
  'accounts:write',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/**
 * What a new key may do unless its maker says otherwise: it takes money in and reads, and sends
 * none out.
 */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['charges:write', 'transactions:read', 'balance:read'];

/**
 * What the first key of an account may do, and one that an operator makes without naming
 * permissions: they make it for a system that they know.
 */
export const FIRST_KEY_PERMISSIONS: readonly Permission[] = [
  'charges:write',
  'refunds:write',
  'withdrawals:write',
  'transactions:read',
  'balance:read',
  'accounts:write',
];

export const isPermission = (text: string): text is Permission => (PERMISSIONS as readonly string[]).includes(text);
