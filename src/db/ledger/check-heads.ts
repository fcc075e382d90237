import { hash } from 'node:crypto';
import type pg from 'pg';
import { leafHash, merkleTree } from '#domain/ledger/merkle-tree.ts';
import { headText, leafText, NO_PREVIOUS } from '#domain/ledger/proof-text.ts';
import { isSigned } from './is-signed.ts';
import { type LedgerHead, listHeads, readChainsSealed, readSealedChains, type SealedChain } from './ledger-seals.ts';

export const HEADS_RULE = 'every day’s head is signed, and is what its chains come to';

const ALL_LEAVES = { first: 0, next: 2 ** 31 - 1 };

/**
 * Checks the signed heads after the day `since`, or all when it is null. Returns a line for each
 * issue. `publicKey`: the installation's own, hexadecimal; null when it is not known.
 */
export async function checkHeads(
  db: pg.PoolClient,
  since: string | null,
  publicKey: string | null = null,
): Promise<string[]> {
  const heads = await listHeads(db);
  const begin = heads.findIndex(({ day }) => since === null || day > since);
  if (begin === -1) return [];
  const before = heads[begin - 1];
  const chains = before ? await readSealedChains(db, before.day, ALL_LEAVES) : [];
  const ends = new Map(chains.map((chain) => [nameOf(chain), chain]));
  const issues: string[] = [];
  for (const [at, head] of heads.entries()) {
    if (at < begin) continue;
    const span = { after: heads[at - 1]?.transferId ?? 0n, upTo: head.transferId };
    for (const chain of await readChainsSealed(db, span)) ends.set(nameOf(chain), chain);
    const issue = findIssue(head, heads[at - 1], [...ends.values()], publicKey);
    if (issue) issues.push(`the head of ${head.day} ${issue}`);
  }
  return issues;
}

const nameOf = ({ owner, kind }: SealedChain) => `${owner} ${kind}`;

function findIssue(
  head: LedgerHead,
  before: LedgerHead | undefined,
  chains: readonly SealedChain[],
  publicKey: string | null,
): string | null {
  const leaves: Buffer[] = [];
  for (const [leaf, own] of Map.groupBy(chains, ({ leaf }) => leaf))
    leaves[leaf] = leafHash(leafText(head.day, own[0]?.owner ?? '', own));
  const root = merkleTree(leaves).root.toString('hex');
  if (root !== head.root || leaves.length !== head.leaves)
    return `has the root ${head.root} of ${head.leaves} leaves, its chains come to ${root} of ${leaves.length}`;
  const text = headText({ ...head, previous: before?.hash ?? NO_PREVIOUS });
  if (hash('sha256', text, 'hex') !== head.hash) return 'does not follow the one before it';
  if (publicKey !== null && head.publicKey !== publicKey) return `is signed with another key, ${head.publicKey}`;
  return isSigned(text, head) ? null : 'has a signature of something else';
}
