import type pg from 'pg';

export type InvitationRow = {
  id: string;
  merchantId: string;
  merchantName: string;
  sealed: string;
  /** Null: the operator. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const COLUMNS = `i.id, i.merchant_id AS "merchantId", m.name AS "merchantName", i.sealed, i.invited_by AS "invitedBy",
  i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** Keeps an invitation, with the task that writes its message; false when as many as may be are open. */
export async function insertInvitation(
  db: pg.Pool,
  row: Omit<InvitationRow, 'merchantName'> & { openMax: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH invitation AS (
        INSERT INTO invitations (id, merchant_id, sealed, invited_by, created_at, expires_at)
        SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5::timestamptz, $6::timestamptz
        WHERE (SELECT count(*) FROM invitations WHERE merchant_id = $2 AND expires_at > $5) < $7 RETURNING id)
      INSERT INTO tasks (kind, subject_id, due_at) SELECT 'invite_member', id, $5::timestamptz FROM invitation`,
    [row.id, row.merchantId, row.sealed, row.invitedBy, row.createdAt, row.expiresAt, row.openMax],
  );
  return rowCount === 1;
}

/** Null once it was accepted or withdrawn, or too old. */
export async function findInvitation(db: pg.Pool, id: string): Promise<InvitationRow | null> {
  const { rows } = await db.query<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations i JOIN merchants m ON m.id = i.merchant_id WHERE i.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The same by the token of its link. */
export async function findInvitationByToken(db: pg.Pool, tokenHash: Buffer, now: Date): Promise<InvitationRow | null> {
  const { rows } = await db.query<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations i JOIN merchants m ON m.id = i.merchant_id
     WHERE i.token_hash = $1 AND i.expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** The open invitations of a merchant, oldest first. */
export async function listInvitations(db: pg.Pool, merchantId: string, now: Date): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations i JOIN merchants m ON m.id = i.merchant_id
     WHERE i.merchant_id = $1 AND i.expires_at > $2 ORDER BY i.id`,
    [merchantId, now],
  );
  return rows;
}

/** Takes invitations of a merchant back: their links open nothing from now on. Gives how many there were. */
export async function deleteInvitations(db: pg.Pool, merchantId: string, ids: string[]): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM invitations WHERE merchant_id = $1 AND id = ANY($2::uuid[])', [
    merchantId,
    ids,
  ]);
  return rowCount ?? 0;
}

export type MemberListing = { id: string; name: string; email: string; language: string | null; createdAt: Date };

/** The members of a merchant, in the order in which they came. */
export async function listMembers(db: pg.Pool, merchantId: string): Promise<MemberListing[]> {
  const { rows } = await db.query<MemberListing>(
    'SELECT id, name, email, language, created_at AS "createdAt" FROM members WHERE merchant_id = $1 ORDER BY id',
    [merchantId],
  );
  return rows;
}

/** A merchant by his id, his e-mail or the id of one of his accounts; null when there is none. */
export async function findMerchant(
  db: pg.Pool,
  which: { id: string } | { email: string },
): Promise<{ id: string; name: string; email: string } | null> {
  const { rows } = await db.query<{ id: string; name: string; email: string }>(
    'id' in which
      ? `SELECT id, name, email FROM merchants
         WHERE id = $1 OR id = (SELECT merchant_id FROM accounts WHERE id = $1) LIMIT 1`
      : 'SELECT id, name, email FROM merchants WHERE email = $1',
    ['id' in which ? which.id : which.email],
  );
  return rows[0] ?? null;
}
