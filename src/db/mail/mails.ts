import type pg from 'pg';

/** Notes a message to be sent, and when to try first. */
export async function insertMail(db: pg.Pool, mail: { id: string; sealed: string; now: Date }): Promise<void> {
  await db.query({
    name: 'insert-mail',
    text: `WITH mail AS (INSERT INTO mails (id, sealed, created_at) VALUES ($1, $2, $3))
      INSERT INTO tasks (kind, subject_id, due_at) VALUES ('send_mail', $1, $3)`,
    values: [mail.id, mail.sealed, mail.now],
  });
}

/** A message that waits; null once it was sent. */
export async function findMail(db: pg.Pool, id: string): Promise<{ sealed: string; createdAt: Date } | null> {
  const { rows } = await db.query<{ sealed: string; createdAt: Date }>(
    'SELECT sealed, created_at AS "createdAt" FROM mails WHERE id = $1',
    [id],
  );
  return rows[0] ?? null;
}

export async function deleteMail(db: pg.Pool, id: string): Promise<void> {
  await db.query('DELETE FROM mails WHERE id = $1', [id]);
}
