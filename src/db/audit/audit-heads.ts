import type pg from 'pg';
import type { AuditChainEnd } from '#domain/audit/audit-head-text.ts';

/** The signed head of a day. Hashes, key and signature are hexadecimal. */
export type AuditHead = {
  day: string;
  /** It covers the records up to this one. */
  recordId: bigint;
  /** How many chains have grown since the head before it. */
  chains: number;
  root: string;
  hash: string;
  publicKey: string;
  signature: string;
};

const COLUMNS = `day::text AS day, record_id AS "recordId", chains, encode(root, 'hex') AS root, encode(hash, 'hex') AS hash,
  encode(public_key, 'hex') AS "publicKey", encode(signature, 'hex') AS signature`;

/** The last head, or that of a day; null where there is none. */
export async function findAuditHead(db: pg.Pool, day: string | null = null): Promise<AuditHead | null> {
  const { rows } = await db.query<AuditHead>({
    name: 'find-audit-head',
    text: `SELECT ${COLUMNS} FROM audit_heads h WHERE $1::date IS NULL OR h.day = $1::date ORDER BY h.day DESC LIMIT 1`,
    values: [day],
  });
  return rows[0] ?? null;
}

/** All heads, the oldest first. */
export async function listAuditHeads(db: pg.PoolClient): Promise<AuditHead[]> {
  const { rows } = await db.query<AuditHead>(`SELECT ${COLUMNS} FROM audit_heads h ORDER BY h.day`);
  return rows;
}

/** Returns the id up to which records are in the chains; 0 when none is. */
export async function findLastLinked(db: pg.Pool): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>('SELECT record_id AS id FROM audit_sealing');
  return rows[0]?.id ?? 0n;
}

/**
 * Returns the last link of each chain that has grown by the records after `after` up to `upTo`, in
 * the order of the chains' ids.
 */
export async function readGrownChains(
  db: pg.Pool | pg.PoolClient,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<AuditChainEnd[]> {
  const { rows } = await db.query<AuditChainEnd>(
    `SELECT DISTINCT ON (l.chain) l.chain, l.number, encode(l.link, 'hex') AS link FROM audit_links l
     WHERE l.record_id > $1 AND l.record_id <= $2 ORDER BY l.chain, l.number DESC`,
    [after, upTo],
  );
  return rows;
}

/**
 * Lists the days after `since` (null: all days) that have a head of the ledger, but none of the
 * audit.
 */
export async function findDaysWithoutAuditHead(db: pg.PoolClient, since: string | null): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `SELECT g.day::text AS day FROM ledger_heads g WHERE ($1::date IS NULL OR g.day > $1::date)
       AND NOT EXISTS (SELECT FROM audit_heads h WHERE h.day = g.day) ORDER BY g.day`,
    [since],
  );
  return rows.map(({ day }) => day);
}

/** Writes the head of a day that waits for it; false when another process has written it. */
export async function insertAuditHead(
  db: pg.Pool,
  head: AuditHead & { previous: string | null; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ signed: boolean | null }>(
    'SELECT audit_sign_day($1::date, $2, $3, $4, $5, $6, $7, $8, $9) AS signed',
    [
      ...[head.day, head.recordId, head.previous && bytes(head.previous), head.chains],
      ...[bytes(head.root), bytes(head.hash), bytes(head.publicKey), bytes(head.signature), head.now],
    ],
  );
  return rows[0]?.signed ?? false;
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');
