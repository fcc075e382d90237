/**
 * The texts that the ledger proof hashes and signs (docs/adr/0042-the-ledger-proof.md). Lines end
 * with a line feed where another one follows. Amounts are centavos, hashes hexadecimal in lower
 * case.
 */

export const PROOF_FORMAT = 'trilho-ledger-proof-1';

/** The first byte of what is hashed, so that a hash of another kind is never taken for it. */
export const HASH_PREFIX = { leaf: 0, node: 1, link: 2 } as const;

/** `previous` of the first head. */
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
  /**
   * The account's transaction, or its part of another account's; `null` where the money belongs to
   * no account yet.
   */
  transaction: string | null;
  posting: string;
  /** ISO 8601 in UTC, with milliseconds. */
  at: string;
  reference: string;
  /** SHA-256 of the link before it and its text. */
  link: string;
};

/**
 * Returns the text of an entry that is hashed. SQL's proof_entry_text() writes the same. Only the
 * reference may have line breaks.
 */
export const entryText = (entry: Omit<ProofEntry, 'kind' | 'link'>): string =>
  [
    ...[entry.version, entry.amount, entry.balance, entry.credits, entry.transaction ?? '-'],
    ...[entry.posting, entry.at, entry.reference],
  ].join('\n');

/** The end of a ledger account's chain on a day. */
export type ChainEnd<Whole = number | bigint> = {
  kind: string;
  version: Whole;
  balance: Whole;
  credits: Whole;
  link: string;
};

/** Returns the text of an account's leaf: the ends of all its chains. */
export const leafText = (day: string, account: string, chains: readonly ChainEnd[]): string =>
  [
    ...['trilho-leaf-1', day, account],
    ...chains
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
      .map(({ kind, version, balance, credits, link }) => `${kind} ${version} ${balance} ${credits} ${link}`),
  ].join('\n');

/** Returns the text of a day's head, which is signed. */
export const headText = (head: { day: string; previous: string; root: string; leaves: number }): string =>
  ['trilho-head-1', head.day, head.previous, head.root, head.leaves].join('\n');
