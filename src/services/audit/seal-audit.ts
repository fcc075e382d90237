import { type AuditSealingStep, sealAuditRecords } from '#db/audit/seal-audit-records.ts';
import type { Deps } from '../deps.ts';

/** Some tens of milliseconds a statement. */
const BATCH_RECORDS = 1_000;
/** What began before the barrier was written ends within milliseconds, or some seconds at most. */
const PAUSE_MS = 100;
const PAUSES_MAX = 20;

/**
 * Puts what is committed of the audit into its chains (docs/adr/0047-the-audit-is-chained.md). Any
 * number of processes may be at it: one is, and another one goes on wherever it stops. Returns what
 * the last step did.
 */
export async function sealAudit(
  { db }: Pick<Deps, 'db'>,
  isStopping: () => boolean = () => false,
): Promise<AuditSealingStep> {
  let step: AuditSealingStep = 'waiting';
  for (let pauses = 0; pauses < PAUSES_MAX && !isStopping(); ) {
    step = await sealAuditRecords(db.pool, BATCH_RECORDS);
    if (step === 'done' || step === 'busy') break;
    // A horizon and its barrier are written in two steps that wait for nothing.
    if (step === 'waiting' && pauses++ > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return step;
}
