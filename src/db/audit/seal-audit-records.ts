import type pg from 'pg';

/** What a step did: see audit_seal() in the migrations. */
export type AuditSealingStep = 'waiting' | 'sealed' | 'busy' | 'done';

/** Brings the audit's chains one step further: at most `limit` records. */
export async function sealAuditRecords(db: pg.Pool, limit: number): Promise<AuditSealingStep> {
  const { rows } = await db.query<{ step: AuditSealingStep }>({
    name: 'seal-audit-records',
    text: 'SELECT audit_seal($1) AS step',
    values: [limit],
  });
  return rows[0]?.step ?? 'done';
}
