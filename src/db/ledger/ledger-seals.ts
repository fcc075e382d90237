import type pg from 'pg';

/** What a step did: see proof_seal() in the migrations. */
export type SealingStep = 'waiting' | 'sealed' | 'day_over' | 'busy' | 'done';

/** Brings the chains one step further: at most `limit` transfers. */
export async function sealTransfers(db: pg.Pool, now: Date, limit: number): Promise<SealingStep> {
  const { rows } = await db.query<{ step: SealingStep }>({
    name: 'seal-transfers',
    text: 'SELECT proof_seal($1, $2) AS step',
    values: [now, limit],
  });
  return rows[0]?.step ?? 'done';
}

/** The day that waits for its head, as `2026-11-22`; null: none does. */
export async function findDayWithoutHead(db: pg.Pool): Promise<string | null> {
  const { rows } = await db.query<{ day: string | null }>(
    'SELECT day::text AS day FROM ledger_sealing WHERE is_day_over',
  );
  return rows[0]?.day ?? null;
}

/** The signed head of a day. Hashes, key and signature are hexadecimal. */
export type LedgerHead = {
  day: string;
  leaves: number;
  root: string;
  hash: string;
  publicKey: string;
  signature: string;
  /** All transfers up to this one are in the chains. */
  transferId: bigint;
  signedAt: Date;
};

/** The last head up to a day, or of all when that is null; null when there is none. */
export async function findLastHead(db: pg.Pool, day: string | null = null): Promise<LedgerHead | null> {
  const { rows } = await db.query<LedgerHead>({
    name: 'find-last-head',
    text: `SELECT day::text AS day, leaves, encode(root, 'hex') AS root, encode(hash, 'hex') AS hash,
        encode(public_key, 'hex') AS "publicKey", encode(signature, 'hex') AS signature, transfer_id AS "transferId", signed_at AS "signedAt"
      FROM ledger_heads WHERE $1::date IS NULL OR ledger_heads.day <= $1::date ORDER BY ledger_heads.day DESC LIMIT 1`,
    values: [day],
  });
  return rows[0] ?? null;
}

/** All heads, or those up to a day, the oldest first. */
export async function listHeads(db: pg.Pool | pg.PoolClient, day: string | null = null): Promise<LedgerHead[]> {
  const { rows } = await db.query<LedgerHead>(
    `SELECT day::text AS day, leaves, encode(root, 'hex') AS root, encode(hash, 'hex') AS hash,
      encode(public_key, 'hex') AS "publicKey", encode(signature, 'hex') AS signature, transfer_id AS "transferId", signed_at AS "signedAt"
    FROM ledger_heads WHERE $1::date IS NULL OR ledger_heads.day <= $1::date ORDER BY ledger_heads.day`,
    [day],
  );
  return rows;
}

/** Writes the head of a day that waits for it; false when another process has written it. */
export async function closeDay(
  db: pg.Pool,
  head: Omit<LedgerHead, 'transferId' | 'signedAt'> & { previous: string | null; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ closed: boolean | null }>(
    'SELECT proof_close_day($1::date, $2, $3, $4, $5, $6, $7, $8) AS closed',
    [
      ...[head.day, head.previous && bytes(head.previous), head.leaves, bytes(head.root), bytes(head.hash)],
      ...[bytes(head.publicKey), bytes(head.signature), head.now],
    ],
  );
  return rows[0]?.closed ?? false;
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** What the chain of one ledger account comes to at the end of a day. */
export type SealedChain = {
  leaf: number;
  /** The account; `platform-live` or `platform-test` for the platform's. */
  owner: string;
  kind: string;
  version: bigint;
  balance: bigint;
  credits: bigint;
  link: string;
};

/**
 * The chains of the leaves from `first` up to, but not including, `next`, as of a day, leaf by
 * leaf.
 */
export async function readSealedChains(
  db: pg.Pool | pg.PoolClient,
  day: string,
  { first, next }: { first: number; next: number },
): Promise<SealedChain[]> {
  const { rows } = await db.query<SealedChain>(
    `SELECT c.leaf, coalesce(a.account_id::text, 'platform-' || a.mode) AS owner, a.kind::text AS kind, s.version,
      s.balance_centavos AS balance, s.credit_centavos AS credits, encode(s.link, 'hex') AS link
    FROM ledger_chains c JOIN ledger_accounts a ON a.id = c.ledger_account_id CROSS JOIN LATERAL (
      SELECT s.version, s.balance_centavos, s.credit_centavos, s.link FROM ledger_seals s
      WHERE s.ledger_account_id = c.ledger_account_id AND s.day <= $1::date
      ORDER BY s.day DESC, s.version DESC LIMIT 1) AS s
    WHERE c.leaf >= $2 AND c.leaf < $3 ORDER BY c.leaf`,
    [day, first, next],
  );
  return rows;
}

/**
 * The chains that were sealed further with the transfers after `after` up to `upTo`, as they were
 * then.
 */
export async function readChainsSealed(
  db: pg.PoolClient,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<SealedChain[]> {
  const { rows } = await db.query<SealedChain>(
    `SELECT DISTINCT ON (s.ledger_account_id) c.leaf, coalesce(a.account_id::text, 'platform-' || a.mode) AS owner,
      a.kind::text AS kind, s.version, s.balance_centavos AS balance, s.credit_centavos AS credits, encode(s.link, 'hex') AS link
    FROM ledger_seals s JOIN ledger_chains c ON c.ledger_account_id = s.ledger_account_id
      JOIN ledger_accounts a ON a.id = s.ledger_account_id
    WHERE s.transfer_id > $1 AND s.transfer_id <= $2 ORDER BY s.ledger_account_id, s.version DESC`,
    [after, upTo],
  );
  return rows;
}

/** An account's chain as of a day. `start`, with which it begins, is shown to the account alone. */
export type OwnChain = {
  ledgerAccountId: bigint;
  leaf: number;
  kind: string;
  start: string;
  version: bigint;
  balance: bigint;
};

/**
 * Returns the account's chains as of the end of `day` (`YYYY-MM-DD`); those that began later are
 * left out.
 */
export async function findOwnChains(db: pg.Pool, accountId: string, day: string): Promise<OwnChain[]> {
  const { rows } = await db.query<OwnChain>({
    name: 'find-own-chains',
    text: `SELECT a.id AS "ledgerAccountId", c.leaf, a.kind::text AS kind, encode(c.start, 'hex') AS start, s.version,
        s.balance_centavos AS balance
      FROM ledger_accounts a JOIN ledger_chains c ON c.ledger_account_id = a.id CROSS JOIN LATERAL (
        SELECT s.version, s.balance_centavos FROM ledger_seals s
        WHERE s.ledger_account_id = a.id AND s.day <= $2::date ORDER BY s.day DESC, s.version DESC LIMIT 1) AS s
      WHERE a.account_id = $1 ORDER BY a.kind`,
    values: [accountId, day],
  });
  return rows;
}

/** An entry as it was sealed, with its link. */
export type SealedEntry = {
  version: bigint;
  amount: bigint;
  balance: bigint;
  credits: bigint;
  /**
   * The account's own transaction: for a part of another account's charge, its own row for that
   * part.
   */
  transaction: string | null;
  posting: string;
  at: Date;
  reference: string;
  link: string;
};

/** Of one page of a chain; a little more where seals are long. */
const PAGE_ENTRIES = 500;
const LINK_BYTES = 32;

type Seal = { day: string; version: bigint; first: bigint; link: Buffer; links: Buffer };

/**
 * The entries of an account's chain up to a day, in pages. Links are those that were sealed, so
 * that an entry that was changed since does not fit its own.
 */
export async function* readSealedEntries(
  db: pg.Pool,
  { ledgerAccountId, day }: { ledgerAccountId: bigint; day: string },
): AsyncGenerator<SealedEntry[]> {
  for (let last: { day: string; version: bigint } = { day: '0001-01-01', version: 0n }; ; ) {
    const { rows: seals }: pg.QueryResult<Seal> = await db.query<Seal>({
      name: 'read-seals',
      text: `SELECT day::text AS day, version, version - octet_length(links) / ${LINK_BYTES} AS first, link, links
        FROM (SELECT s.*, sum(octet_length(s.links)) OVER (ORDER BY s.day, s.version) AS bytes FROM (
            SELECT day, version, link, links FROM ledger_seals
            WHERE ledger_account_id = $1 AND (ledger_seals.day, version) > ($2::date, $3::bigint) AND ledger_seals.day <= $4::date
            ORDER BY ledger_seals.day, version LIMIT ${PAGE_ENTRIES}) AS s) AS page
        WHERE bytes - octet_length(links) < ${PAGE_ENTRIES * LINK_BYTES} ORDER BY page.day, version`,
      values: [ledgerAccountId, last.day, last.version, day],
    });
    const [begin, end] = [seals[0], seals.at(-1)];
    if (!begin || !end) return;
    const links = Buffer.concat(seals.flatMap(({ link, links: between }) => [between.subarray(LINK_BYTES), link]));
    const { rows: entries } = await db.query<Omit<SealedEntry, 'link'>>({
      name: 'read-sealed-entries',
      text: `SELECT e.version, e.amount_centavos AS amount, e.balance_after_centavos AS balance, e.credit_after_centavos AS credits,
          CASE WHEN a.account_id <> t.account_id THEN proof_part(t.transaction_id, a.account_id) ELSE t.transaction_id END AS transaction,
          t.kind AS posting, t.created_at AS at, t.reference
        FROM ledger_accounts a JOIN ledger_entries e ON e.ledger_account_id = a.id JOIN ledger_transfers t ON t.id = e.transfer_id
        WHERE e.ledger_account_id = $1 AND e.version > $2 AND e.version <= $3 ORDER BY e.version`,
      values: [ledgerAccountId, begin.first, end.version],
    });
    yield entries.map((entry) => {
      const at = Number(entry.version - begin.first - 1n) * LINK_BYTES;
      return { ...entry, link: links.toString('hex', at, at + LINK_BYTES) };
    });
    last = end;
  }
}

/**
 * When the oldest transfer was made that is in no chain yet; null: all are. Those of accounts with
 * a test clock are left out, since their times are not the service's.
 */
export async function findOldestUnsealed(db: pg.Pool): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>(
    `SELECT t.created_at AS at FROM ledger_transfers t
     WHERE t.id > (SELECT transfer_id FROM ledger_sealing)
       AND NOT EXISTS (SELECT FROM test_clocks c WHERE c.account_id = t.account_id) ORDER BY t.id LIMIT 1`,
  );
  return rows[0]?.at ?? null;
}
