import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Role } from '#domain/members/roles.ts';

/** A member of a merchant who never signed up, for tests that need no browser. */
export async function addMember(
  db: pg.Pool,
  member: {
    id: string;
    merchantId: string;
    email: string;
    name?: string;
    role?: Role;
    language?: string;
    notifications?: Record<string, boolean>;
    withdrawalsBlockedUntil?: Date;
  },
): Promise<void> {
  const { id, merchantId, email, name = 'Maria', role = 'owner', language = null, notifications = {} } = member;
  await db.query(
    `WITH person AS (
        INSERT INTO members (id, name, email, email_verified, language, notifications, withdrawals_blocked_until,
          created_at, updated_at) VALUES ($1, $2, $3, true, $4, $5, $6, now(), now()) RETURNING id)
      INSERT INTO memberships (member_id, merchant_id, role, created_at)
      SELECT id, $7, $8::member_role, now() FROM person`,
    [
      id,
      name,
      email,
      language,
      JSON.stringify(notifications),
      member.withdrawalsBlockedUntil ?? null,
      merchantId,
      role,
    ],
  );
}

/** A new member of the merchant that an account belongs to. Returns their id. */
export async function addMemberOf(
  db: pg.Pool,
  accountId: string,
  { id = randomUUID(), role }: { id?: string; role?: Role } = {},
): Promise<string> {
  const { rows } = await db.query<{ merchantId: string }>(
    'SELECT merchant_id AS "merchantId" FROM accounts WHERE id = $1',
    [accountId],
  );
  await addMember(db, {
    ...{ id, merchantId: rows[0]?.merchantId ?? '', email: `${id}@example.com` },
    ...(role && { role }),
  });
  return id;
}
