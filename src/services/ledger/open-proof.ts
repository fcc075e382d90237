import {
  findLastHead,
  findOwnChains,
  type LedgerHead,
  listHeads,
  type OwnChain,
  readSealedEntries,
  type SealedEntry,
} from '#db/ledger/ledger-seals.ts';
import { merkleTree } from '#domain/ledger/merkle-tree.ts';
import { PROOF_FORMAT, type ProofEntry } from '#domain/ledger/proof-text.ts';
import type { ProofFile } from '#domain/ledger/verify-proof.ts';
import type { Deps } from '../deps.ts';
import { hashLeaves } from './hash-leaves.ts';

/** An account's proof of a day: its head, how many entries it has, and the file in pieces. */
export type LedgerProof = {
  head: LedgerHead;
  entries: number;
  /** JSON, one entry a line; see verifyProof for its shape. */
  pieces(): AsyncGenerator<string>;
};

/**
 * The proof of an account's entries up to the end of `day`, or of the last day before it that has a
 * signed head; null: of the last day of all. Returns null when there is no such head, or when the
 * account has no entry in it.
 */
export async function openProof(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  day: string | null = null,
): Promise<LedgerProof | null> {
  const head = await findLastHead(deps.db.pool, day);
  const chains = head ? await findOwnChains(deps.db.pool, accountId, head.day) : [];
  const [first] = chains;
  if (!head || !first) return null;
  return {
    head,
    entries: chains.reduce((sum, { version }) => sum + Number(version), 0),
    pieces: () => writeProof(deps, { accountId, head, chains, leaf: first.leaf }),
  };
}

type ProofSubject = { accountId: string; head: LedgerHead; chains: readonly OwnChain[]; leaf: number };

async function* writeProof({ db }: Pick<Deps, 'db'>, subject: ProofSubject): AsyncGenerator<string> {
  const { accountId, head, chains, leaf } = subject;
  const heads = await listHeads(db.pool, head.day);
  const { path } = merkleTree(await hashLeaves({ db }, head.day), leaf);
  const balances = { available: 0, pending: 0, blocked: 0 };
  const start = {
    format: PROOF_FORMAT,
    account: accountId,
    day: head.day,
    publicKey: head.publicKey,
    heads: heads.map(({ day, leaves, root, signature }) => ({ day, leaves, root, signature })),
    leaf,
    path: path.map((hash) => hash.toString('hex')),
    balances: {
      ...balances,
      ...Object.fromEntries(chains.map(({ kind, balance }) => [kind, toWhole(balance)])),
    },
    chains: Object.fromEntries(chains.map((chain) => [chain.kind, chain.start])),
  } satisfies Omit<ProofFile, 'entries'>;
  yield JSON.stringify(start, null, 1).replace(/\n}$/, ',\n "entries": [');
  let separator = '\n';
  for (const { kind, ledgerAccountId } of chains) {
    for await (const entries of readSealedEntries(db.pool, { ledgerAccountId, day: head.day })) {
      yield separator + entries.map((entry) => `  ${JSON.stringify(toFileEntry(kind, entry))}`).join(',\n');
      separator = ',\n';
    }
  }
  yield '\n ]\n}\n';
}

const toFileEntry = (kind: string, entry: SealedEntry): ProofEntry => ({
  kind,
  version: toWhole(entry.version),
  amount: toWhole(entry.amount),
  balance: toWhole(entry.balance),
  credits: toWhole(entry.credits),
  transaction: entry.transaction,
  posting: entry.posting,
  at: entry.at.toISOString(),
  reference: entry.reference,
  link: entry.link,
});

/** The number that JSON has without rounding. Throws RangeError where there is none. */
function toWhole(amount: bigint): number {
  const whole = Number(amount);
  if (!Number.isSafeInteger(whole)) throw new RangeError(`${amount} is too large for a number of JSON.`);
  return whole;
}
