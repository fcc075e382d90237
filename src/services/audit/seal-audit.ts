import { type AuditSealingStep, sealAuditRecords } from '#db/audit/seal-audit-records.ts';
import type { Deps } from '../deps.ts';

/** Some tens of milliseconds a statement. */
const BATCH_RECORDS = 1_000;
/** Transactions that began before the barrier end within milliseconds, or seconds at most. */
const PAUSE_MS = 100;
const PAUSES_MAX = 20;

/**
 * Puts the committed audit records into their chains (docs/adr/0047-the-audit-is-chained.md). Any
 * number of processes may call it: one at a time seals, and another continues where it stopped.
 * Returns what the last step did.
 */
export async function sealAudit(
  { db }: Pick<Deps, 'db'>,
  isStopping: () => boolean = () => false,
): Promise<AuditSealingStep> {
  let step: AuditSealingStep = 'waiting';
  for (let pauses = 0; pauses < PAUSES_MAX && !isStopping(); ) {
    step = await sealAuditRecords(db.pool, BATCH_RECORDS);
    if (step === 'done' || step === 'busy') break;
    // The first two `waiting` steps write a horizon and its barrier, and need no pause.
    if (step === 'waiting' && pauses++ > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return step;
}
