import { hash } from 'node:crypto';
import { HASH_PREFIX } from './proof-text.ts';

/** The hash of a leaf, RFC 9162 section 2.1.1. */
export const leafHash = (text: string): Buffer => sha256(HASH_PREFIX.leaf, Buffer.from(text));

/**
 * Returns the root of a tree of hashed leaves, and the path to it of the leaf with this number
 * (from 0): the hashes beside it, the lowest first (RFC 9162 sections 2.1.1 and 2.1.3.1). Without a
 * number the path is empty.
 */
export function merkleTree(leaves: readonly Buffer[], number?: number): { root: Buffer; path: Buffer[] } {
  if (leaves.length === 0) return { root: hash('sha256', '', 'buffer'), path: [] };
  const path: Buffer[] = [];
  let at = number;
  let level = leaves;
  while (level.length > 1) {
    const beside = at === undefined ? undefined : level[at ^ 1];
    if (beside) path.push(beside);
    if (at !== undefined) at >>= 1;
    level = parents(level);
  }
  const [root] = level;
  if (!root) throw new RangeError('A level of the tree is empty.');
  return { root, path };
}

/** The last node of an odd number is its own parent. */
function parents(level: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]];
    if (left) above.push(right ? sha256(HASH_PREFIX.node, left, right) : left);
  }
  return above;
}

const sha256 = (prefix: number, ...parts: Buffer[]): Buffer =>
  hash('sha256', Buffer.concat([Buffer.of(prefix), ...parts]), 'buffer');
