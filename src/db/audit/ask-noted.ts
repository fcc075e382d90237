import type pg from 'pg';
import { auditValues, type EntryWithoutNotices } from './audit.ts';

/** The audit record of an act, and the outcomes with which it is written. */
export type NotedOutcome<Outcome extends string> = { entry: EntryWithoutNotices; when: readonly Outcome[] };

/**
 * Calls the SQL function that does an act (`text`: `SELECT function(…) AS outcome`) and returns its
 * outcome. The act and its record are one statement: both are done, or neither, and the function's
 * locks are held for no further round trip. `noted` null: the installation acts by itself, and no
 * record is written.
 */
export async function askNoted<Outcome extends string>(
  db: pg.Pool,
  text: string,
  values: unknown[],
  noted: NotedOutcome<Outcome> | null,
): Promise<Outcome> {
  const name = text.slice('SELECT '.length, text.indexOf('('));
  const { rows } = noted
    ? await db.query<{ outcome: string }>({
        name: `${name} noted`,
        text: withRecord(text, values.length),
        values: [...values, ...auditValues(noted.entry), noted.when],
      })
    : await db.query<{ outcome: string }>({ name, text, values });
  if (!rows[0]) throw new Error(`${name} answered nothing.`);
  return rows[0].outcome as Outcome;
}

/** The statement with a second part, which notes the act where it was done. */
const withRecord = (text: string, count: number): string =>
  `WITH act AS MATERIALIZED (${text}), record AS (
      INSERT INTO audit_records (merchant_id, member_id, account_id, action, details, ip_address, user_agent, at)
      SELECT $${count + 1}::uuid, $${count + 2}::uuid, $${count + 3}::uuid, $${count + 4}::text, $${count + 5}::jsonb,
        $${count + 6}::text, $${count + 7}::text, $${count + 8}::timestamptz
      FROM act WHERE outcome::text = ANY ($${count + 9}::text[]))
    SELECT outcome FROM act`;
