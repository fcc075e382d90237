import { findLastHead, type LedgerHead } from '#db/ledger/ledger-seals.ts';
import type { Deps } from '../deps.ts';
import { openProof } from './open-proof.ts';

/** The last signed head, null while there is none, and how many entries it has of an account. */
export async function getProofSummary(
  deps: Pick<Deps, 'db'>,
  accountId: string,
): Promise<{ head: LedgerHead | null; entries: number }> {
  const proof = await openProof(deps, accountId);
  return proof ?? { head: await findLastHead(deps.db.pool), entries: 0 };
}
