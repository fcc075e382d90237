import { hash } from 'node:crypto';
import type pg from 'pg';
import { auditHeadText, auditLeafText } from '#domain/audit/audit-head-text.ts';
import { leafHash, merkleTree } from '#domain/ledger/merkle-tree.ts';
import { NO_PREVIOUS } from '#domain/ledger/proof-text.ts';
import { isSigned } from '../ledger/is-signed.ts';
import { type AuditHead, findDaysWithoutAuditHead, listAuditHeads, readGrownChains } from './audit-heads.ts';

export const AUDIT_HEADS_RULE = 'every day’s head of the audit is signed, and is what its chains come to';

/**
 * Checks the signed heads of the audit after the day `since`, or all when it is null: links that
 * were recomputed after a record was changed come to other heads. Returns a line for each issue.
 * `publicKey`: the installation's own, hexadecimal; null when it is not known.
 */
export async function checkAuditHeads(
  db: pg.PoolClient,
  since: string | null,
  publicKey: string | null,
): Promise<string[]> {
  const heads = await listAuditHeads(db);
  const issues = (await findDaysWithoutAuditHead(db, since)).map((day) => `the audit has no head of ${day}`);
  for (const [at, head] of heads.entries()) {
    if (since !== null && head.day <= since) continue;
    const issue = await findIssue(db, head, heads[at - 1], publicKey);
    if (issue) issues.push(`the audit’s head of ${head.day} ${issue}`);
  }
  return issues;
}

async function findIssue(
  db: pg.PoolClient,
  head: AuditHead,
  before: AuditHead | undefined,
  publicKey: string | null,
): Promise<string | null> {
  const ends = await readGrownChains(db, { after: before?.recordId ?? 0n, upTo: head.recordId });
  const root = merkleTree(ends.map((end) => leafHash(auditLeafText(end)))).root.toString('hex');
  if (root !== head.root || ends.length !== head.chains)
    return `has the root ${head.root} of ${head.chains} chains, its records come to ${root} of ${ends.length}`;
  const text = auditHeadText({ ...head, previous: before?.hash ?? NO_PREVIOUS });
  if (hash('sha256', text, 'hex') !== head.hash) return 'does not follow the one before it';
  if (publicKey !== null && head.publicKey !== publicKey) return `is signed with another key, ${head.publicKey}`;
  return isSigned(text, head) ? null : 'has a signature of something else';
}
