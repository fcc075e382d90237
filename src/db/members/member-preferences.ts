import type pg from 'pg';
import type { Role } from '#domain/members/roles.ts';
import { type NoticeKind, type OptionalNotice, wantsNotice } from '#domain/notices/notice-kinds.ts';
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
  notifications?: Partial<Record<OptionalNotice, boolean>>;
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

export type MemberToNotify = { id: string; name: string; email: string; language: string | null; role: Role };

/** The members of a merchant who want a kind of notice. */
export async function findMembersToNotify(
  db: Database,
  merchantId: string,
  kind: NoticeKind,
): Promise<MemberToNotify[]> {
  const memberships = await db.prisma.membership.findMany({
    where: { merchantId },
    select: {
      role: true,
      member: { select: { id: true, name: true, email: true, language: true, notifications: true } },
    },
    orderBy: { memberId: 'asc' },
  });
  return memberships.flatMap(({ role, member: { notifications, ...member } }) =>
    wantsNotice(notifications, kind) ? [{ ...member, role }] : [],
  );
}
