import {
  type ChainEnd,
  entryText,
  HASH_PREFIX,
  headText,
  leafText,
  NO_PREVIOUS,
  PROOF_FORMAT,
  type ProofEntry,
} from './proof-text.ts';

/** The file of a proof. It comes from outside: verifyProof checks its shape first. */
export type ProofFile = {
  format: string;
  account: string;
  /** Of America/Sao_Paulo; the file has what was sealed up to its end. */
  day: string;
  /** Ed25519, as are the signatures; hexadecimal. */
  publicKey: string;
  /** From the first day on. */
  heads: readonly { day: string; leaves: number; root: string; signature: string }[];
  /** The number of the account's leaf, and its path to the root of the last head. */
  leaf: number;
  path: readonly string[];
  /** Centavos, by ledger account. */
  balances: Readonly<Record<string, number>>;
  /** The link that each chain begins with, by ledger account. */
  chains: Readonly<Record<string, string>>;
  entries: readonly ProofEntry[];
};

/** The first part of a file that is not as it was sealed. */
export type ProofIssue =
  | { part: 'file'; detail: string }
  /** A head is not signed with the file's key, or does not follow the one before it. */
  | { part: 'head'; day: string }
  | { part: 'entry'; kind: string; version: number; transaction: string | null }
  | { part: 'balance'; kind: string }
  /** The leaf of these entries is not in the tree of the day: the last ones may be missing. */
  | { part: 'leaf' };

export type ProofResult = {
  issue: ProofIssue | null;
  /** What was recomputed, as far as it was right. */
  balances: Record<string, number>;
  entries: number;
  /** The hash of the last head; null where a head is not right. */
  headHash: string | null;
};

/** Ledger accounts that every account has, with entries or without. */
const BALANCES = ['available', 'pending', 'blocked'];

/**
 * Checks the file of a proof with nothing but the file: every signature, every link and every sum.
 * Uses WebCrypto, so that browsers run it, too; rejects where that has no Ed25519.
 */
export async function verifyProof(file: unknown): Promise<ProofResult> {
  const result: ProofResult = { issue: null, balances: {}, entries: 0, headHash: null };
  const failed = (issue: ProofIssue): ProofResult => ({ ...result, issue });
  const detail = findMisshape(file);
  if (detail) return failed({ part: 'file', detail });
  const proof = file as ProofFile;

  const heads = await verifyHeads(proof);
  if (typeof heads !== 'string') return failed(heads);
  result.headHash = heads;

  const starts = Object.entries(proof.chains).map(([kind, link]) => ({
    kind,
    version: 0,
    balance: 0,
    credits: 0,
    link,
  }));
  const ends = new Map<string, ChainEnd<number>>(starts.map((start) => [start.kind, start]));
  for (const entry of proof.entries) {
    const end = await followChain(entry, ends.get(entry.kind));
    if (!end) return failed(issueOf(entry));
    ends.set(entry.kind, end);
    result.entries++;
  }
  for (const kind of new Set([...BALANCES, ...Object.keys(proof.balances), ...Object.keys(proof.chains)])) {
    const balance = ends.get(kind)?.balance ?? 0;
    if (proof.balances[kind] !== balance) return failed({ part: 'balance', kind });
    result.balances[kind] = balance;
  }
  const isInTree = await isLeafInTree(proof, leafText(proof.day, proof.account, [...ends.values()]));
  return isInTree ? result : failed({ part: 'leaf' });
}

/** Returns the hash of the last head, or which head is not right. */
async function verifyHeads({ heads, publicKey, day }: ProofFile): Promise<string | ProofIssue> {
  const key = await crypto.subtle.importKey('raw', fromHex(publicKey), 'Ed25519', false, ['verify']);
  let previous = NO_PREVIOUS;
  let dayBefore = '';
  for (const head of heads) {
    const text = utf8(headText({ ...head, previous }));
    const isSigned = await crypto.subtle.verify('Ed25519', key, fromHex(head.signature), text);
    if (!isSigned || head.day <= dayBefore) return { part: 'head', day: head.day };
    previous = await sha256(text);
    dayBefore = head.day;
  }
  return dayBefore === day ? previous : { part: 'head', day };
}

/**
 * Returns the end of a chain with this entry; `null` where the entry does not follow the one before
 * it.
 */
async function followChain(entry: ProofEntry, before?: ChainEnd<number>): Promise<ChainEnd<number> | null> {
  const { version, amount, balance, credits, link } = entry;
  if (!before) return null;
  const isSum =
    version === before.version + 1 &&
    balance === before.balance + amount &&
    credits === before.credits + Math.max(amount, 0);
  const hashed = await sha256(Uint8Array.of(HASH_PREFIX.link), fromHex(before.link), utf8(entryText(entry)));
  return isSum && hashed === link ? { ...before, version, balance, credits, link } : null;
}

const issueOf = ({ kind, version, transaction }: ProofEntry): ProofIssue => ({
  part: 'entry',
  kind,
  version,
  transaction,
});

/** RFC 9162 section 2.1.3.2. */
async function isLeafInTree({ heads, leaf, path }: ProofFile, text: string): Promise<boolean> {
  const { leaves = 0, root } = heads.at(-1) ?? {};
  if (leaf >= leaves) return false;
  const beside = [...path];
  let node = await sha256(Uint8Array.of(HASH_PREFIX.leaf), utf8(text));
  for (let at = leaf, count = leaves; count > 1; at = Math.floor(at / 2), count = Math.ceil(count / 2)) {
    // The last node of an odd number is its own parent.
    if (at % 2 === 0 && at + 1 === count) continue;
    const sibling = beside.shift();
    if (sibling === undefined) return false;
    const [left, right] = at % 2 === 0 ? [node, sibling] : [sibling, node];
    node = await sha256(Uint8Array.of(HASH_PREFIX.node), fromHex(left), fromHex(right));
  }
  return node === root && beside.length === 0;
}

const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{128}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns what is missing or malformed in a file; `null` when it has the shape of a proof. */
function findMisshape(file: unknown): string | null {
  if (!isRecord(file)) return 'it is no object';
  if (file.format !== PROOF_FORMAT) return `its format is not ${PROOF_FORMAT}`;
  const { heads, path, balances, chains, entries } = file;
  const checks: [name: string, isRight: boolean][] = [
    ['account', isText(file.account)],
    ['day', isText(file.day, DAY)],
    ['publicKey', isText(file.publicKey, HEX_32)],
    ['heads', isListOf(heads, isHead) && heads.length > 0],
    ['leaf', isWhole(file.leaf) && file.leaf >= 0],
    ['path', isListOf(path, (hash) => isText(hash, HEX_32))],
    ['balances', isRecord(balances) && Object.values(balances).every(isWhole)],
    ['chains', isRecord(chains) && Object.values(chains).every((hash) => isText(hash, HEX_32))],
    ['entries', isListOf(entries, isEntry)],
  ];
  const wrong = checks.find(([, isRight]) => !isRight);
  return wrong ? `its "${wrong[0]}" is missing or has another form` : null;
}

const isHead = (head: unknown): boolean =>
  isRecord(head) &&
  isText(head.day, DAY) &&
  isWhole(head.leaves) &&
  isText(head.root, HEX_32) &&
  isText(head.signature, HEX_64);

const isEntry = (entry: unknown): boolean =>
  isRecord(entry) &&
  [entry.version, entry.amount, entry.balance, entry.credits].every(isWhole) &&
  [entry.kind, entry.posting, entry.at, entry.reference, entry.link].every((text) => isText(text)) &&
  (entry.transaction === null || isText(entry.transaction));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isText = (value: unknown, form = /^/): value is string => typeof value === 'string' && form.test(value);
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(isOne);

const utf8 = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

async function sha256(...parts: Uint8Array[]): Promise<string> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
