/**
 * What an API key of a system may be allowed to do. Reading the account's own profile and the
 * currencies needs none of them.
 */
export const PERMISSIONS = [
  'charges:write',
  'refunds:write',
  'withdrawals:write',
  'transactions:read',
  'balance:read',
  'accounts:write',
  'webhooks:write',
] as const;

/**
 * Permissions of an assistant's key, which is accepted at /mcp and nowhere else. No other
 * permission implies them: a key has them only if somebody named them.
 */
export const AGENT_PERMISSIONS = ['mcp:use', 'mcp:withdraw'] as const;

export const ALL_PERMISSIONS = [...PERMISSIONS, ...AGENT_PERMISSIONS] as const;

export type Permission = (typeof ALL_PERMISSIONS)[number];

/**
 * The permissions of a new key unless its creator chooses others: it receives money and reads, but
 * sends none.
 */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['charges:write', 'transactions:read', 'balance:read'];

/**
 * The permissions of an account's first key, and of a key that an operator creates without naming
 * any: operators know the system that it is for.
 */
export const FIRST_KEY_PERMISSIONS: readonly Permission[] = [
  'charges:write',
  'refunds:write',
  'withdrawals:write',
  'transactions:read',
  'balance:read',
  'accounts:write',
];

/** What an assistant's key may have: nothing that sends money by itself or opens accounts. */
const FOR_AGENTS: ReadonlySet<Permission> = new Set([...DEFAULT_PERMISSIONS, ...AGENT_PERMISSIONS]);

export const isPermission = (text: string): text is Permission => (ALL_PERMISSIONS as readonly string[]).includes(text);

/** Whether a key is an assistant's. */
export const isAgentKey = (permissions: readonly Permission[]): boolean => permissions.includes('mcp:use');

/**
 * Returns those permissions that a key must not have together with the others; the database's check
 * api_keys_assistant says the same.
 */
export function forbiddenTogether(permissions: readonly Permission[]): Permission[] {
  const isForbidden = isAgentKey(permissions)
    ? (one: Permission) => !FOR_AGENTS.has(one)
    : (one: Permission) => (AGENT_PERMISSIONS as readonly Permission[]).includes(one);
  return permissions.filter(isForbidden);
}
