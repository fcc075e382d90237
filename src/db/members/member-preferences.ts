import type pg from 'pg';
import type { Notification } from '#domain/members/notifications.ts';

export type StoredPreferences = { language: string | null; theme: string | null; notifications: unknown };

/** What a member has chosen for himself; null when there is no such member. */
export async function findPreferences(db: pg.Pool, memberId: string): Promise<StoredPreferences | null> {
  const { rows } = await db.query<StoredPreferences>(
    'SELECT language, theme, notifications FROM members WHERE id = $1',
    [memberId],
  );
  return rows[0] ?? null;
}

export type PreferencesChange = {
  language?: string | null;
  theme?: string | null;
  /** Only these; the others stay as they are, also when two pages change different ones at once. */
  notifications?: Partial<Record<Notification, boolean>>;
};

/** Changes what is named; null is a choice too. */
export async function updatePreferences(
  db: pg.Pool,
  memberId: string,
  { language, theme, notifications = {} }: PreferencesChange,
  now: Date,
): Promise<void> {
  await db.query(
    `UPDATE members SET language = CASE WHEN $2 THEN $3 ELSE language END, theme = CASE WHEN $4 THEN $5 ELSE theme END,
      notifications = notifications || $6::jsonb, updated_at = $7 WHERE id = $1`,
    [
      memberId,
      language !== undefined,
      language ?? null,
      theme !== undefined,
      theme ?? null,
      JSON.stringify(notifications),
      now,
    ],
  );
}

export type MemberToTell = { name: string; email: string; language: string | null };

/** The members of a merchant who want to hear of something (null: what concerns everybody), at an address that they have confirmed. */
export async function findMembersToTell(
  db: pg.Pool,
  merchantId: string,
  notification: Notification | null,
): Promise<MemberToTell[]> {
  const { rows } = await db.query<MemberToTell>(
    `SELECT name, email, language FROM members
     WHERE merchant_id = $1 AND email_verified AND ($2::text IS NULL OR notifications -> $2 IS DISTINCT FROM 'false'::jsonb)
     ORDER BY id`,
    [merchantId, notification],
  );
  return rows;
}
