import type pg from 'pg';
import type { Permission } from '#domain/permissions.ts';
import { type AccountTerms, TERMS_COLUMNS, type TermsRow, toTerms } from './account-terms.ts';

/** What a valid key stands for. */
export type KeyOwner = AccountTerms & {
  keyId: string;
  actor: { kind: 'key'; keyId: string };
  permissions: readonly Permission[];
};

type KeyRow = TermsRow & { keyId: string; permissions: Permission[] };

/** Looks a key up by its SHA-256; null for one that is unknown or revoked. Notes the use, to the minute. */
export async function findKeyOwner(db: pg.Pool, hash: Buffer, now: Date): Promise<KeyOwner | null> {
  const { rows } = await db.query<KeyRow>({
    name: 'find-key-owner',
    text: `WITH used AS (
        UPDATE api_keys SET last_used_at = $2 WHERE hash = $1 AND revoked_at IS NULL RETURNING id, account_id, permissions)
      SELECT used.id AS "keyId", used.permissions, ${TERMS_COLUMNS}
      FROM used JOIN accounts a ON a.id = used.account_id JOIN merchants m ON m.id = a.merchant_id`,
    values: [hash, now],
  });
  const [row] = rows;
  return row ? { ...toTerms(row), actor: { kind: 'key', keyId: row.keyId } } : null;
}

/** The channel on which every process hears that an account's keys or settings changed; the payload is the account's id, or its merchant's. */
export const ACCOUNTS_CHANNEL = 'trilho_accounts';

/** Tells every process to forget what it remembers of an account, or of all accounts of a merchant. */
export async function announceAccountChange(db: pg.Pool, id: string): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [ACCOUNTS_CHANNEL, id]);
}
