import { hash } from 'node:crypto';
import { findAuditHead, findLastLinked, insertAuditHead, readGrownChains } from '#db/audit/audit-heads.ts';
import { auditHeadText, auditLeafText } from '#domain/audit/audit-head-text.ts';
import { leafHash, merkleTree } from '#domain/ledger/merkle-tree.ts';
import { NO_PREVIOUS } from '#domain/ledger/proof-text.ts';
import type { Deps } from '../deps.ts';
import type { SigningKey } from '../ledger/signing-key.ts';

/**
 * Signs the ends of the audit's chains, as the audit's head of a day whose ledger head is about to
 * be signed (docs/adr/0059-the-audit-has-signed-heads.md). Does nothing where the day has one.
 */
export async function signAuditHead(
  { db: { pool }, clock }: Pick<Deps, 'db' | 'clock'>,
  day: string,
  { publicKey, sign }: SigningKey,
): Promise<void> {
  const last = await findAuditHead(pool);
  if (last && last.day >= day) return;
  const recordId = await findLastLinked(pool);
  const ends = await readGrownChains(pool, { after: last?.recordId ?? 0n, upTo: recordId });
  const root = merkleTree(ends.map((end) => leafHash(auditLeafText(end)))).root.toString('hex');
  const text = auditHeadText({ day, previous: last?.hash ?? NO_PREVIOUS, recordId, root, chains: ends.length });
  await insertAuditHead(pool, {
    ...{ day, recordId, previous: last?.hash ?? null, chains: ends.length, root, publicKey },
    hash: hash('sha256', text, 'hex'),
    signature: sign(text),
    now: clock(),
  });
}
