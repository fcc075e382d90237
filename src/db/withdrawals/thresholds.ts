import type pg from 'pg';
import type { ThresholdKind } from '#domain/withdrawals/thresholds.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';

/** The amount above which a threshold holds, in centavos; null: for none. */
type Threshold = bigint | null;

export type ThresholdState = {
  centavos: Threshold;
  /** What was proposed in its place. */
  proposal: {
    centavos: Threshold;
    /** When it applies by itself; null: once another owner approves it. */
    appliesFrom: Date | null;
    byId: string;
    /** The member's name. */
    by: string | null;
    at: Date;
  } | null;
};

/** A threshold of an account, and what is proposed in its place. */
export async function findThreshold(
  db: pg.Pool,
  { accountId, kind, now }: { accountId: string; kind: ThresholdKind; now: Date },
): Promise<ThresholdState> {
  const { rows } = await db.query<{
    centavos: Threshold;
    nextCentavos: Threshold;
    nextFrom: Date | null;
    byId: string | null;
    by: string | null;
    at: Date | null;
  }>({
    name: 'find-threshold',
    text: `SELECT withdrawal_threshold(t.account_id, t.kind, $3) AS centavos, t.next_centavos AS "nextCentavos",
        t.next_from AS "nextFrom", t.proposed_by_id AS "byId", m.name AS by, t.proposed_at AS at
      FROM withdrawal_thresholds t LEFT JOIN members m ON m.id = t.proposed_by_id
      WHERE t.account_id = $1 AND t.kind = $2`,
    values: [accountId, kind, now],
  });
  const [row] = rows;
  if (!row) return { centavos: null, proposal: null };
  const { centavos, nextCentavos, nextFrom: appliesFrom, byId, by, at } = row;
  const isOpen = byId !== null && at !== null && (appliesFrom === null || appliesFrom > now);
  return { centavos, proposal: isOpen ? { centavos: nextCentavos, appliesFrom, byId, by, at } : null };
}

/** The amounts above which an account's thresholds hold now, in centavos; null: for none. */
export async function currentThresholds(
  db: pg.Pool,
  accountId: string,
  now: Date,
): Promise<Record<ThresholdKind, Threshold>> {
  const { rows } = await db.query<Record<ThresholdKind, Threshold>>({
    name: 'current-thresholds',
    text: `SELECT withdrawal_threshold($1, 'approval', $2) AS approval, withdrawal_threshold($1, 'payees', $2) AS payees`,
    values: [accountId, now],
  });
  return rows[0] ?? { approval: null, payees: null };
}

/** A change of a threshold by a member. */
type ThresholdChange = {
  accountId: string;
  kind: ThresholdKind;
  memberId: string;
  centavos: Threshold;
  now: Date;
};

export type SetThreshold = {
  outcome: 'set' | 'proposed' | 'unchanged';
  before: Threshold;
  appliesFrom: Date | null;
};

/**
 * Sets the threshold or proposes it; see withdrawal_threshold_set in the migrations. `audit`: what
 * the audit says of what was done, in the same commit.
 */
export const setThreshold = (
  db: pg.Pool,
  change: ThresholdChange & { aloneFrom: Date },
  audit: (done: SetThreshold) => AuditEntry,
): Promise<SetThreshold> =>
  withTransaction(db, async (client) => {
    const { accountId, kind, memberId, centavos, aloneFrom, now } = change;
    const { rows } = await client.query<SetThreshold>({
      name: 'withdrawal-threshold-set',
      text: `SELECT outcome, centavos_before AS before, applies_from AS "appliesFrom"
        FROM withdrawal_threshold_set($1, $2, $3, $4, $5, $6)`,
      values: [accountId, kind, memberId, centavos, aloneFrom, now],
    });
    if (!rows[0]) throw new Error('withdrawal_threshold_set answered nothing.');
    if (rows[0].outcome !== 'unchanged') await insertAuditOn(client, audit(rows[0]));
    return rows[0];
  });

export type ApprovedThreshold = { outcome: 'approved' | 'none' | 'changed' | 'own'; before: Threshold };

/** Approves a proposal; see withdrawal_threshold_approve in the migrations. `audit`: as above. */
export const approveThreshold = (
  db: pg.Pool,
  { accountId, kind, memberId, centavos, now }: ThresholdChange,
  audit: (done: ApprovedThreshold) => AuditEntry,
): Promise<ApprovedThreshold> =>
  withTransaction(db, async (client) => {
    const { rows } = await client.query<ApprovedThreshold>({
      name: 'withdrawal-threshold-approve',
      text: `SELECT outcome, centavos_before AS before
        FROM withdrawal_threshold_approve($1, $2, $3, $4, $5)`,
      values: [accountId, kind, memberId, centavos, now],
    });
    if (!rows[0]) throw new Error('withdrawal_threshold_approve answered nothing.');
    if (rows[0].outcome === 'approved') await insertAuditOn(client, audit(rows[0]));
    return rows[0];
  });
