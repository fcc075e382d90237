import type pg from 'pg';
import type { Notification } from '#domain/members/notifications.ts';
import type { Database } from '../connection/database.ts';

export type StoredPreferences = { language: string | null; theme: string | null; notifications: unknown };

/** What a member has chosen; null when there is no such member. */
export const findPreferences = (db: Database, memberId: string): Promise<StoredPreferences | null> =>
  db.prisma.member.findUnique({
    where: { id: memberId },
    select: { language: true, theme: true, notifications: true },
  });

export type PreferencesChange = {
  language?: string | null;
  theme?: string | null;
  /** Only these; the others stay as they are, also when two pages change different ones at once. */
  notifications?: Partial<Record<Notification, boolean>>;
};

/**
 * Changes what is named; null is a choice too. In SQL, because Prisma replaces a JSON value as a
 * whole.
 */
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

export type MemberToNotify = { name: string; email: string; language: string | null };

/** The members of a merchant who want a kind of notification; `null`: one that everybody gets. */
export async function findMembersToNotify(
  db: Database,
  merchantId: string,
  notification: Notification | null,
): Promise<MemberToNotify[]> {
  const members = await db.prisma.member.findMany({
    where: { memberships: { some: { merchantId } } },
    select: { name: true, email: true, language: true, notifications: true },
    orderBy: { id: 'asc' },
  });
  const wants = (notifications: unknown) =>
    notification === null || (notifications as Partial<Record<Notification, unknown>>)[notification] !== false;
  return members.flatMap(({ notifications, ...member }) => (wants(notifications) ? [member] : []));
}
