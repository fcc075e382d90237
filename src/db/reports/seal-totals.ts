import type pg from 'pg';

/** What a step did: see totals_seal() in the migrations. */
export type SealStep = 'closed' | 'waiting' | 'sealed' | 'merged' | 'busy' | 'done';

/**
 * Brings the totals of hours and days one step further towards `until`, a whole hour: by
 * `spanHours` at most.
 */
export async function sealTotals(db: pg.Pool, until: Date, spanHours: number): Promise<SealStep> {
  const { rows } = await db.query<{ step: SealStep }>({
    name: 'seal-totals',
    text: 'SELECT totals_seal($1, make_interval(hours => $2)) AS step',
    values: [until, spanHours],
  });
  return rows[0]?.step ?? 'done';
}
