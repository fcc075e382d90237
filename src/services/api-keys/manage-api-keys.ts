import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { insertApiKey, revokeKey } from '#db/api-keys/api-keys.ts';
import { displayPartsOf, generateApiKey, hashApiKey } from '#domain/api-keys/api-key-format.ts';
import { FIRST_KEY_PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { toBrl } from '#domain/values/money.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareChangeNotices } from '../members/notify-change.ts';
import type { NotifyDeps } from '../members/notify-members.ts';

type KeyDeps = Pick<Deps, 'db' | 'clock'> & AsOperator;

export type OperatorKeyInput = {
  accountId: string;
  name: string;
  /** The default is FIRST_KEY_PERMISSIONS. */
  permissions?: readonly Permission[];
  /** As parseIpRange() returns them. */
  allowedIps?: readonly string[];
  expiresAt?: Date | null;
};

/**
 * Creates a further key of an account for the operator, and notifies the members; `apiKey` is shown
 * this once. Returns null when there is no such account.
 */
export async function createApiKey(deps: NotifyDeps & AsOperator, input: OperatorKeyInput) {
  const account = isUuid(input.accountId) ? await findAccountTerms(deps.db.pool, input.accountId, ownTime(deps)) : null;
  if (!account) return null;
  const { accountId, merchantId, mode } = account;
  const now = ownTime(deps);
  const { apiKey, ...kept } = newKey(mode, now);
  const { name, permissions = FIRST_KEY_PERMISSIONS, allowedIps = [], expiresAt = null } = input;
  const notices = await prepareChangeNotices(deps, { merchantId, by: null, origin: null });
  await insertApiKey(deps.db, {
    ...kept,
    accountId,
    name,
    permissions,
    allowedIps,
    expiresAt,
    caps: null,
    now,
    createdById: null,
    audit: (made) => ({
      ...operatorEntry(deps, { merchantId, accountId }, 'api_key.created', auditedKey(made)),
      notices: notices('api_key_created', describeKey(made)),
    }),
  });
  deps.wakeWorkers();
  return { keyId: kept.id, apiKey, mode };
}

/**
 * Revokes a key, given by its id or by its text, in every process within a second; one that is
 * revoked already, too. Returns null when there is no such key.
 */
export async function revokeApiKey(deps: KeyDeps, key: string): Promise<{ keyId: string } | null> {
  const which = isUuid(key) ? { id: key } : { hash: hashApiKey(key) };
  const revoked = await revokeKey(deps.db, which, ownTime(deps), ({ keyId, name, ...about }) =>
    operatorEntry(deps, about, 'api_key.revoked', { key_id: keyId, name }),
  );
  return revoked && { keyId: revoked.keyId };
}

/** Generates a key: `apiKey` is its text, the other fields are what is stored. */
export function newKey(mode: 'live' | 'test', now: Date) {
  const apiKey = generateApiKey(mode);
  return { id: uuidv7(now), apiKey, hash: hashApiKey(apiKey), ...displayPartsOf(apiKey) };
}

/** How messages to members name a key. */
export const describeKey = ({ name, prefix }: { name: string; prefix: string }): string => `${name} (${prefix}…)`;

/** The audit's details of a key; caps in reais. */
export const auditedKey = (key: {
  id: string;
  name: string;
  prefix: string;
  permissions: readonly string[];
  allowedIps: readonly string[];
  expiresAt: Date | null;
  callCapCentavos: bigint | null;
  dayCapCentavos: bigint | null;
}) => ({
  key_id: key.id,
  name: key.name,
  prefix: key.prefix,
  permissions: key.permissions.join(' '),
  allowed_ips: key.allowedIps.join(' '),
  expires_at: key.expiresAt?.toISOString() ?? null,
  ...(key.callCapCentavos !== null && { call_cap: toBrl(key.callCapCentavos) }),
  ...(key.dayCapCentavos !== null && { day_cap: toBrl(key.dayCapCentavos) }),
});
