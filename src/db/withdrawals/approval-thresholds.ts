import type pg from 'pg';

/** The amount above which withdrawals of an account wait, in centavos; null: none does. */
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

/** The threshold of an account, and what is proposed in its place. */
export async function findThreshold(db: pg.Pool, accountId: string, now: Date): Promise<ThresholdState> {
  const { rows } = await db.query<{
    centavos: Threshold;
    nextCentavos: Threshold;
    nextFrom: Date | null;
    byId: string | null;
    by: string | null;
    at: Date | null;
  }>({
    name: 'find-threshold',
    text: `SELECT approval_threshold(t.account_id, $2) AS centavos, t.next_centavos AS "nextCentavos", t.next_from AS "nextFrom",
        t.proposed_by_id AS "byId", m.name AS by, t.proposed_at AS at
      FROM approval_thresholds t LEFT JOIN members m ON m.id = t.proposed_by_id WHERE t.account_id = $1`,
    values: [accountId, now],
  });
  const [row] = rows;
  if (!row) return { centavos: null, proposal: null };
  const { centavos, nextCentavos, nextFrom: appliesFrom, byId, by, at } = row;
  const isOpen = byId !== null && at !== null && (appliesFrom === null || appliesFrom > now);
  return { centavos, proposal: isOpen ? { centavos: nextCentavos, appliesFrom, byId, by, at } : null };
}

/** Sets the threshold or proposes it; see approval_threshold_set in the migrations. */
export async function setThreshold(
  db: pg.Pool,
  change: { accountId: string; memberId: string; centavos: Threshold; aloneFrom: Date; now: Date },
): Promise<{ outcome: 'set' | 'proposed' | 'unchanged'; before: Threshold; appliesFrom: Date | null }> {
  const { accountId, memberId, centavos, aloneFrom, now } = change;
  const { rows } = await db.query<Awaited<ReturnType<typeof setThreshold>>>({
    name: 'approval-threshold-set',
    text: `SELECT outcome, centavos_before AS before, applies_from AS "appliesFrom"
      FROM approval_threshold_set($1, $2, $3, $4, $5)`,
    values: [accountId, memberId, centavos, aloneFrom, now],
  });
  if (!rows[0]) throw new Error('approval_threshold_set answered nothing.');
  return rows[0];
}

/** Approves a proposal; see approval_threshold_approve in the migrations. */
export async function approveThreshold(
  db: pg.Pool,
  approval: { accountId: string; memberId: string; centavos: Threshold; now: Date },
): Promise<{ outcome: 'approved' | 'none' | 'changed' | 'own'; before: Threshold }> {
  const { accountId, memberId, centavos, now } = approval;
  const { rows } = await db.query<Awaited<ReturnType<typeof approveThreshold>>>({
    name: 'approval-threshold-approve',
    text: 'SELECT outcome, centavos_before AS before FROM approval_threshold_approve($1, $2, $3, $4)',
    values: [accountId, memberId, centavos, now],
  });
  if (!rows[0]) throw new Error('approval_threshold_approve answered nothing.');
  return rows[0];
}
