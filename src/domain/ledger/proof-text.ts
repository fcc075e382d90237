/**
 * The texts that the ledger proof hashes and signs (docs/adr/0042-the-ledger-proof.md). Lines end
 * with a line feed where another one follows. Amounts are centavos, hashes hexadecimal in lower
 * case.
 */

export const PROOF_FORMAT = 'trilho-ledger-proof-1';

/** What a hash begins with, so that one of another kind is never taken for it. */
export const HASH_PREFIX = { leaf: 0, node: 1, link: 2 } as const;

/** What the first head says of the head before it. */
export const NO_PREVIOUS = '0'.repeat(64);

/** An entry as the file of a proof has it. */
export type ProofEntry = {
  /** The ledger account's. */
  kind: string;
  version: number;
  amount: number;
  /** The ledger account's balance and sum of credits after it. */
  balance: number;
  credits: number;
  /** The account's own; null where the money belongs to no account yet. */
  transaction: string | null;
  posting: string;
  /** ISO 8601 in UTC, with milliseconds. */
  at: string;
  reference: string;
  /** SHA-256 of the link before it and its text. */
  link: string;
};

/**
 * What is hashed of an entry. SQL's proof_entry_text() writes the same. The reference alone may
 * have line breaks.
 */
export const entryText = (entry: Omit<ProofEntry, 'kind' | 'link'>): string =>
  [
    ...[entry.version, entry.amount, entry.balance, entry.credits, entry.transaction ?? '-'],
    ...[entry.posting, entry.at, entry.reference],
  ].join('\n');

/** What the chain of a ledger account comes to at the end of a day. */
export type ChainEnd<Whole = number | bigint> = {
  kind: string;
  version: Whole;
  balance: Whole;
  credits: Whole;
  link: string;
};

/** The leaf of an account: what all its chains come to. */
export const leafText = (day: string, account: string, chains: readonly ChainEnd[]): string =>
  [
    ...['trilho-leaf-1', day, account],
    ...chains
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
      .map(({ kind, version, balance, credits, link }) => `${kind} ${version} ${balance} ${credits} ${link}`),
  ].join('\n');

/** What is signed of a day. */
export const headText = (head: { day: string; previous: string; root: string; leaves: number }): string =>
  ['trilho-head-1', head.day, head.previous, head.root, head.leaves].join('\n');
