import type pg from 'pg';

/**
 * What to do with a request that carries an Idempotency-Key. `resumed`: an attempt before this one
 * began it, under the same subject. `differs`: the key belongs to another request. `running`:
 * another attempt is at work on it.
 */
export type IdempotencyClaim =
  | { outcome: 'execute'; subjectId: string; resumed: boolean }
  | { outcome: 'replay'; status: number; body: string }
  | { outcome: 'differs' }
  | { outcome: 'running' };

type Row = {
  outcome: IdempotencyClaim['outcome'];
  subjectId: string;
  resumed: boolean;
  status: number;
  body: string;
};

/**
 * Claims a key for a request. `owner` is the advisory lock that this process holds while it lives:
 * an attempt whose process has died is taken over at once.
 */
export async function claimIdempotencyKey(
  db: pg.Pool,
  claim: {
    accountId: string;
    key: string;
    /**
     * SHA-256 of method, route and body, sealed: as it is kept, then as an older master key may
     * have sealed it.
     */
    fingerprints: [Buffer, ...Buffer[]];
    subjectId: string;
    owner: bigint;
    /** Whether this process is at work on this key at this moment. */
    atWork: boolean;
    now: Date;
    expiresAt: Date;
  },
): Promise<IdempotencyClaim> {
  const { rows } = await db.query<Row>({
    name: 'idempotency-claim',
    text: `SELECT outcome, subject_id AS "subjectId", resumed, status, body
      FROM idempotency_claim($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      claim.accountId,
      claim.key,
      claim.fingerprints,
      claim.subjectId,
      claim.owner,
      claim.atWork,
      claim.now,
      claim.expiresAt,
    ],
  });
  if (!rows[0]) throw new Error('idempotency_claim answered nothing.');
  return rows[0] as IdempotencyClaim;
}

/** Stores the answer, which is replayed from here on; a later one is ignored. */
export async function keepAnswer(
  db: pg.Pool,
  key: { accountId: string; key: string; subjectId: string; status: number; body: string },
): Promise<void> {
  await db.query({
    name: 'idempotency-keep',
    text: `UPDATE idempotency_keys SET status = $4, body = $5
      WHERE account_id = $1 AND key = $2 AND subject_id = $3 AND status IS NULL`,
    values: [key.accountId, key.key, key.subjectId, key.status, key.body],
  });
}

/** Deletes a key whose request did nothing. */
export async function deleteKey(
  db: pg.Pool,
  key: { accountId: string; key: string; subjectId: string },
): Promise<void> {
  await db.query(
    'DELETE FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND subject_id = $3 AND status IS NULL',
    [key.accountId, key.key, key.subjectId],
  );
}

/** An advisory lock that no process holds: the next attempt takes over. */
const NO_PROCESS = 0n;

/**
 * Releases a key whose request failed half-way: the next attempt continues where this one stopped.
 */
export async function releaseKey(
  db: pg.Pool,
  key: { accountId: string; key: string; subjectId: string },
): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET owner = $4 WHERE account_id = $1 AND key = $2 AND subject_id = $3 AND status IS NULL`,
    [key.accountId, key.key, key.subjectId, NO_PROCESS],
  );
}

/**
 * Deletes at most `limit` keys that have expired; returns how many. One that is being claimed again
 * is skipped: a DELETE that waited for the claim would delete it with its new expiry.
 */
export async function deleteExpiredKeys(db: pg.Pool, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN (
       SELECT account_id, key FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [now, limit],
  );
  return rowCount ?? 0;
}
