import type pg from 'pg';

/** Links that are mailed and open something once: to a new business, or into one that is there. */
export type LinkTable = 'sign_ups' | 'invitations';

/** What is known of an address: its member, or the merchant that has it without one. */
export type KnownAddress =
  | { kind: 'member'; name: string; language: string | null; merchantId: string }
  | { kind: 'merchant'; name: string }
  | { kind: 'new' };

/**
 * Keeps the hash of a link's token together with the message that holds the token, in one commit: a link that was mailed works, and a
 * second try mails no second one. False when the message was written before, or the link is gone.
 */
export async function insertLinkMail(
  db: pg.Pool,
  link: { table: LinkTable; id: string; tokenHash: Buffer; mail: { id: string; sealed: string }; now: Date },
): Promise<boolean> {
  const { table, id, tokenHash, mail, now } = link;
  const { rowCount } = await db.query(
    `WITH link AS (UPDATE ${table} SET token_hash = $2 WHERE id = $1 AND token_hash IS NULL RETURNING id),
      mail AS (INSERT INTO mails (id, sealed, created_at) SELECT $3::uuid, $4, $5::timestamptz FROM link RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'send_mail', id, $5::timestamptz FROM mail`,
    [id, tokenHash, mail.id, mail.sealed, now],
  );
  return rowCount === 1;
}

/** Forgets links that nobody used in time; gives how many. */
export async function deleteOldLinks(db: pg.Pool, table: LinkTable, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Whose an e-mail address is. */
export async function findAddress(db: pg.Pool, email: string): Promise<KnownAddress> {
  const { rows } = await db.query<KnownAddress>(
    `SELECT * FROM (
      SELECT 'member' AS kind, name, language, merchant_id AS "merchantId" FROM members WHERE email = $1
      UNION ALL SELECT 'merchant', name, NULL, NULL FROM merchants WHERE email = $1) known LIMIT 1`,
    [email],
  );
  return rows[0] ?? { kind: 'new' };
}
