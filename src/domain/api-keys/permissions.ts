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
 * Of the key of an assistant, which is accepted at /mcp and nowhere else. Nothing implies them: no
 * key has them unless somebody named them.
 */
export const AGENT_PERMISSIONS = ['mcp:use', 'mcp:withdraw'] as const;

export const ALL_PERMISSIONS = [...PERMISSIONS, ...AGENT_PERMISSIONS] as const;

export type Permission = (typeof ALL_PERMISSIONS)[number];

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

/** What an assistant may do besides: nothing that sends money by itself or opens accounts. */
const FOR_AGENTS: ReadonlySet<Permission> = new Set([...DEFAULT_PERMISSIONS, ...AGENT_PERMISSIONS]);

export const isPermission = (text: string): text is Permission => (ALL_PERMISSIONS as readonly string[]).includes(text);

/** Whether a key is an assistant's. */
export const isAgentKey = (permissions: readonly Permission[]): boolean => permissions.includes('mcp:use');

/** The permissions of these that a key must not have beside the others: see api_keys_assistant. */
export function forbiddenTogether(permissions: readonly Permission[]): Permission[] {
  const isForbidden = isAgentKey(permissions)
    ? (one: Permission) => !FOR_AGENTS.has(one)
    : (one: Permission) => (AGENT_PERMISSIONS as readonly Permission[]).includes(one);
  return permissions.filter(isForbidden);
}
