import type pg from 'pg';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { type AccountTerms, TERMS_COLUMNS, type TermsRow, toTerms } from '../accounts/account-terms.ts';

/** What a valid key stands for. */
export type KeyOwner = AccountTerms & {
  keyId: string;
  actor: { kind: 'key'; keyId: string };
  permissions: readonly Permission[];
  /** Texts of parseIpRange; empty: it may come from anywhere. */
  allowedIps: readonly string[];
  /** From then on it is no valid key. */
  expiresAt: Date | null;
};

type KeyRow = TermsRow & Pick<KeyOwner, 'keyId' | 'permissions' | 'allowedIps' | 'expiresAt'>;

/** A key works at `$n` while it is neither revoked nor expired. */
const worksAt = (parameter: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${parameter})`;

/** Looks a key up by its SHA-256; null for one that is unknown, revoked or expired. Notes the use, to the minute. */
export async function findKeyOwner(db: pg.Pool, hash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<KeyRow>({
    name: 'find-key-owner',
    text: `WITH used AS (
        UPDATE api_keys SET last_used_at = $2 WHERE hash = $1 AND ${worksAt('$2')}
        RETURNING id, account_id, permissions, allowed_ips, expires_at)
      SELECT used.id AS "keyId", used.permissions, used.allowed_ips AS "allowedIps", used.expires_at AS "expiresAt",
        ${TERMS_COLUMNS}
      FROM used JOIN accounts a ON a.id = used.account_id JOIN merchants m ON m.id = a.merchant_id`,
    values: [hash, now],
  });
  const [row] = rows;
  return row ? { ...toTerms(row), actor: { kind: 'key', keyId: row.keyId } } : null;
}

/** A key as it is kept: never the key itself. */
export type StoredKey = {
  id: string;
  name: string;
  /** Its first characters and its last four; the last are empty for a key from before they were kept. */
  prefix: string;
  lastFour: string;
  permissions: Permission[];
  allowedIps: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  replacedById: string | null;
};

export type NewKey = Pick<StoredKey, 'id' | 'name' | 'prefix' | 'lastFour' | 'expiresAt'> & {
  accountId: string;
  hash: Buffer;
  permissions: readonly Permission[];
  allowedIps: readonly string[];
  /** The member who makes it; null: the operator. */
  createdById: string | null;
  now: Date;
};

const STORED_COLUMNS = `id, name, prefix, last_four AS "lastFour", permissions, allowed_ips AS "allowedIps", created_at AS "createdAt",
  last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt", replaced_by_id AS "replacedById"`;

/** Adds a key to an account that is there. */
export async function insertApiKey(db: pg.Pool, key: NewKey): Promise<StoredKey> {
  const { rows } = await db.query<StoredKey>(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, last_four, permissions, allowed_ips, created_at, expires_at,
       created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${STORED_COLUMNS}`,
    [
      ...[key.id, key.accountId, key.name, key.hash, key.prefix, key.lastFour],
      ...[key.permissions, key.allowedIps, key.now, key.expiresAt, key.createdById],
    ],
  );
  return rows[0] as StoredKey;
}

/** An account's keys: those that work first, then the newest. */
export async function listApiKeys(
  db: pg.Pool,
  { accountId, now, limit }: { accountId: string; now: Date; limit: number },
): Promise<StoredKey[]> {
  const { rows } = await db.query<StoredKey>(
    `SELECT ${STORED_COLUMNS} FROM api_keys WHERE account_id = $1
     ORDER BY (${worksAt('$2')}) DESC, created_at DESC, id DESC LIMIT $3`,
    [accountId, now, limit],
  );
  return rows;
}

/** How many keys of an account work. */
export async function countWorkingKeys(db: pg.Pool, accountId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys WHERE account_id = $1 AND ${worksAt('$2')}`,
    [accountId, now],
  );
  return rows[0]?.count ?? 0;
}

/** A key of an account; null for what is none of its keys. */
export async function findApiKey(db: pg.Pool, accountId: string, id: string): Promise<StoredKey | null> {
  const { rows } = await db.query<StoredKey>(
    `SELECT ${STORED_COLUMNS} FROM api_keys WHERE account_id = $1 AND id = $2`,
    [accountId, id],
  );
  return rows[0] ?? null;
}

/** What a key that takes another one's place has of its own; the rest it has from that one. */
export type Successor = Pick<StoredKey, 'id' | 'prefix' | 'lastFour'> & { hash: Buffer; rotatedById: string };

/**
 * Puts a new key in the place of one that works: of the same name, permissions and addresses, and for as long as that one was made
 * for, counted from now. The old one works until `until`, or until it would have expired. Null when it is none of the account's
 * keys that work, or was replaced already: then nothing was changed.
 */
export async function replaceApiKey(
  db: pg.Pool,
  {
    accountId,
    keyId,
    successor,
    until,
    now,
  }: { accountId: string; keyId: string; successor: Successor; until: Date; now: Date },
): Promise<StoredKey | null> {
  const { rows } = await db.query<StoredKey>(
    `WITH old AS (
        SELECT * FROM api_keys
        WHERE id = $1 AND account_id = $2 AND ${worksAt('$3')} AND replaced_by_id IS NULL FOR UPDATE),
      retired AS (
        UPDATE api_keys SET replaced_by_id = $5, expires_at = least(api_keys.expires_at, $4)
        FROM old WHERE api_keys.id = old.id)
      INSERT INTO api_keys (id, account_id, name, hash, prefix, last_four, permissions, allowed_ips, created_at, expires_at,
        created_by_id, rotated_by_id)
      SELECT $5, account_id, name, $6, $7, $8, permissions, allowed_ips, $3, $3 + (expires_at - created_at), created_by_id, $9
      FROM old
      RETURNING ${STORED_COLUMNS}`,
    [
      ...[keyId, accountId, now, until],
      ...[successor.id, successor.hash, successor.prefix, successor.lastFour, successor.rotatedById],
    ],
  );
  return rows[0] ?? null;
}

export type RevokedKey = { keyId: string; name: string; accountId: string; merchantId: string; wasRevoked: boolean };

/** Revokes a key by its id (of an account, where one is named) or by its hash; null when there is none. Revoking twice changes nothing. */
export async function revokeKey(
  db: pg.Pool,
  which: { id: string; accountId?: string } | { hash: Buffer },
  now: Date,
): Promise<RevokedKey | null> {
  const [column, value] = 'id' in which ? ['id', which.id] : ['hash', which.hash];
  const accountId = 'id' in which ? (which.accountId ?? null) : null;
  const { rows } = await db.query<RevokedKey>(
    `WITH old AS (
        SELECT id, revoked_at FROM api_keys
        WHERE ${column} = $1 AND ($3::uuid IS NULL OR account_id = $3) FOR UPDATE)
      UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, $2)
      FROM old, accounts a WHERE k.id = old.id AND a.id = k.account_id
      RETURNING k.id AS "keyId", k.name, a.id AS "accountId", a.merchant_id AS "merchantId",
        old.revoked_at IS NOT NULL AS "wasRevoked"`,
    [value, now, accountId],
  );
  return rows[0] ?? null;
}

/** The channel on which every process hears that an account's keys or settings changed; the payload is the account's id, or its merchant's. */
export const ACCOUNTS_CHANNEL = 'trilho_accounts';

/** Tells every process to forget what it remembers of an account, or of all accounts of a merchant. */
export async function announceAccountChange(db: pg.Pool, id: string): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [ACCOUNTS_CHANNEL, id]);
}
