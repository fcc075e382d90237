import type pg from 'pg';

/** Who decides: `name` is what is shown of them. */
export type DecidedBy = {
  name: string;
  memberId: string | null;
  /** Set where a system decides with an API key. */
  keyId?: string | null;
  ipAddress: string | null;
  userAgent: string | null;
};

/** Who decides, as JSON that the functions of decisions write into the audit. */
export const auditColumns = (by: DecidedBy): string =>
  JSON.stringify({
    name: by.name,
    member_id: by.memberId,
    key_id: by.keyId ?? null,
    ip_address: by.ipAddress,
    user_agent: by.userAgent,
  });

/**
 * Calls the SQL function that books a decision (`text`: `SELECT function(…) AS outcome`) and
 * returns its outcome.
 */
export async function askDecision<Outcome extends string>(
  db: pg.Pool,
  text: string,
  values: unknown[],
): Promise<Outcome> {
  const name = text.slice('SELECT '.length, text.indexOf('('));
  const { rows } = await db.query<{ outcome: string }>({ name, text, values });
  if (!rows[0]) throw new Error('A function of decisions answered nothing.');
  return rows[0].outcome as Outcome;
}
