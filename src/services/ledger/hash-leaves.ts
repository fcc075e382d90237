import { readSealedChains, type SealedChain } from '#db/ledger/ledger-seals.ts';
import { leafHash } from '#domain/ledger/merkle-tree.ts';
import { leafText } from '#domain/ledger/proof-text.ts';
import type { Deps } from '../deps.ts';

/** Leaves that are read with one statement: some tens of milliseconds. */
const PAGE_LEAVES = 5_000;

/** The hashed leaves of the tree of a day, by their numbers. */
export async function hashLeaves({ db }: Pick<Deps, 'db'>, day: string): Promise<Buffer[]> {
  const leaves: Buffer[] = [];
  for (;;) {
    const page = { first: leaves.length, next: leaves.length + PAGE_LEAVES };
    const chains = await readSealedChains(db.pool, day, page);
    for (const [, own] of Map.groupBy(chains, ({ leaf }) => leaf)) leaves.push(hashLeaf(day, own));
    if (leaves.length < page.next) return leaves;
  }
}

const hashLeaf = (day: string, chains: readonly SealedChain[]): Buffer =>
  leafHash(leafText(day, chains[0]?.owner ?? '', chains));
