import { findAuditHead } from '#db/audit/audit-heads.ts';
import { findLastHead, type LedgerHead } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '../deps.ts';
import { openProof } from './open-proof.ts';

/**
 * The last signed head (null while there is none), the hash of the audit's head of the same day,
 * and how many entries of the account the head covers.
 */
export async function getProofSummary(
  deps: Pick<Deps, 'db'>,
  accountId: string,
): Promise<{ head: LedgerHead | null; auditHash: string | null; entries: number }> {
  const proof = await openProof(deps, accountId);
  const head = proof?.head ?? (await findLastHead(deps.db.pool));
  const audit = head && (await findAuditHead(deps.db.pool, head.day));
  return { head, auditHash: audit?.hash ?? null, entries: proof?.entries ?? 0 };
}
