import { readSealedChains, type SealedChain } from '#db/ledger/ledger-seals.ts';
import { leafHash } from '#domain/ledger/merkle-tree.ts';
import { leafText } from '#domain/ledger/proof-text.ts';
import type { Deps } from '../deps.ts';

/** Leaves that one statement reads, in some tens of milliseconds. */
const PAGE_LEAVES = 5_000;

type Pool = Deps['db']['pool'];
/**
 * The leaves of the day that was read last: most callers ask for the last day, whose chains don't
 * change any more. 32 bytes for each account.
 */
const cached = new WeakMap<Pool, { day: string; leaves: Promise<Buffer[]> }>();

/** The leaf hashes of the tree of a day that is over, in the order of the leaves' numbers. */
export function hashLeaves({ db }: Pick<Deps, 'db'>, day: string): Promise<readonly Buffer[]> {
  const known = cached.get(db.pool);
  if (known?.day === day) return known.leaves;
  const leaves = readLeaves(db.pool, day);
  cached.set(db.pool, { day, leaves });
  leaves.catch(() => cached.delete(db.pool));
  return leaves;
}

async function readLeaves(pool: Pool, day: string): Promise<Buffer[]> {
  const leaves: Buffer[] = [];
  for (;;) {
    const page = { first: leaves.length, next: leaves.length + PAGE_LEAVES };
    const chains = await readSealedChains(pool, day, page);
    for (const [, own] of Map.groupBy(chains, ({ leaf }) => leaf)) leaves.push(hashLeaf(day, own));
    if (leaves.length < page.next) return leaves;
  }
}

const hashLeaf = (day: string, chains: readonly SealedChain[]): Buffer =>
  leafHash(leafText(day, chains[0]?.owner ?? '', chains));
