import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { leafHash, merkleTree } from './merkle-tree.ts';
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
import { type ProofFile, verifyProof } from './verify-proof.ts';

const DAY = '2026-11-21';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex');

function headOf(day: string, { root, leaves, previous }: { root: string; leaves: number; previous: string }) {
  return { day, root, leaves, signature: signed(headText({ day, root, leaves, previous })) };
}

/** The file of account number `leaf` (from 0) of so many, none of which has entries. */
function proofOf(leaf: number, leaves: number): ProofFile {
  const texts = Array.from({ length: leaves }, (_, number) => leafText(DAY, `account ${number}`, []));
  const { root, path } = merkleTree(texts.map(leafHash), leaf);
  return {
    ...{
      format: PROOF_FORMAT,
      account: `account ${leaf}`,
      day: DAY,
      leaf,
      path: path.map((one) => one.toString('hex')),
    },
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    heads: [headOf(DAY, { root: root.toString('hex'), leaves, previous: NO_PREVIOUS })],
    ...{ balances: { available: 0, pending: 0, blocked: 0 }, chains: {}, entries: [] },
  };
}

const issueOf = async (proof: ProofFile) => (await verifyProof(proof)).issue;

test('every leaf of a tree is proved, whatever the number of leaves', async () => {
  for (let leaves = 1; leaves <= 9; leaves++) {
    for (let leaf = 0; leaf < leaves; leaf++) {
      expect([leaves, leaf, await issueOf(proofOf(leaf, leaves))]).toEqual([leaves, leaf, null]);
    }
  }
});

test('a leaf is not proved from another place, nor by a path that is longer or shorter', async () => {
  const isNoLeaf = { part: 'leaf' };
  for (const leaves of [1, 2, 5, 8, 9]) {
    for (let leaf = 0; leaf < leaves; leaf++) {
      const proof = proofOf(leaf, leaves);
      const [first = proof.heads[0]?.root ?? ''] = proof.path;
      expect(await issueOf({ ...proof, path: [...proof.path, first] })).toEqual(isNoLeaf);
      if (proof.path.length > 0) expect(await issueOf({ ...proof, path: proof.path.slice(0, -1) })).toEqual(isNoLeaf);
      expect(await issueOf({ ...proof, account: 'another account' })).toEqual(isNoLeaf);
      for (let other = 0; other <= leaves; other++) {
        if (other !== leaf) expect(await issueOf({ ...proof, leaf: other })).toEqual(isNoLeaf);
      }
    }
  }
});

test('the heads are in the order of their days, each with the hash of the one before it, up to the file’s day', async () => {
  const proof = proofOf(2, 3);
  const [{ root = '', leaves = 0 } = {}] = proof.heads;
  const before = headOf('2026-11-20', { root, leaves, previous: NO_PREVIOUS });
  const text = headText({ ...before, previous: NO_PREVIOUS });
  const last = headOf(DAY, { root, leaves, previous: hash('sha256', text) });
  expect(await issueOf({ ...proof, heads: [before, last] })).toBeNull();
  expect(await issueOf({ ...proof, heads: [before, ...proof.heads] })).toEqual({ part: 'head', day: DAY });
  expect(await issueOf({ ...proof, heads: [before] })).toEqual({ part: 'head', day: DAY });
  const again = headOf(DAY, {
    root,
    leaves,
    previous: hash('sha256', headText({ ...last, previous: hash('sha256', text) })),
  });
  expect(await issueOf({ ...proof, heads: [before, last, again] })).toEqual({ part: 'head', day: DAY });
  const other = { ...last, leaves: leaves + 1 };
  expect(await issueOf({ ...proof, heads: [before, other] })).toEqual({ part: 'head', day: DAY });
});

/** The file of an account with a chain of three entries: 1,000 in, 250 out, 30 in. */
function proofWithEntries(): ProofFile {
  let end: ChainEnd<number> = { kind: 'available', version: 0, balance: 0, credits: 0, link: NO_PREVIOUS };
  const entries: ProofEntry[] = [];
  for (const amount of [1_000, -250, 30]) {
    const [version, balance, credits] = [end.version + 1, end.balance + amount, end.credits + Math.max(amount, 0)];
    const entry = { version, amount, balance, credits, transaction: null, posting: 'x', at: 'then', reference: '' };
    const bytes = Buffer.concat([
      Buffer.of(HASH_PREFIX.link),
      Buffer.from(end.link, 'hex'),
      Buffer.from(entryText(entry)),
    ]);
    end = { ...end, version, balance, credits, link: hash('sha256', bytes) };
    entries.push({ ...entry, kind: end.kind, link: end.link });
  }
  const { root } = merkleTree([leafHash(leafText(DAY, 'account 0', [end]))]);
  const heads = [headOf(DAY, { root: root.toString('hex'), leaves: 1, previous: NO_PREVIOUS })];
  const balances = { available: 780, pending: 0, blocked: 0 };
  return { ...proofOf(0, 1), heads, entries, balances, chains: { available: NO_PREVIOUS } };
}

test('an entry with any other figure or text than was sealed, or without the one before it, is named', async () => {
  const proof = proofWithEntries();
  expect(await verifyProof(proof)).toMatchObject({ issue: null, entries: 3, balances: { available: 780 } });
  const changes = [
    ...(['version', 'amount', 'balance', 'credits'] as const).map((name) => ({ [name]: 7 })),
    ...(['transaction', 'posting', 'at', 'reference'] as const).map((name) => ({ [name]: 'other' })),
    { link: NO_PREVIOUS },
  ];
  for (const change of changes) {
    const entries = proof.entries.with(1, { ...(proof.entries[1] as ProofEntry), ...change });
    expect([change, (await issueOf({ ...proof, entries }))?.part]).toEqual([change, 'entry']);
  }
  expect(await issueOf({ ...proof, entries: proof.entries.slice(1) })).toMatchObject({ part: 'entry', version: 2 });
  expect(await issueOf({ ...proof, chains: {} })).toMatchObject({ part: 'entry', version: 1 });
  // The last entries are missing.
  const balances = { ...proof.balances, available: 750 };
  expect(await issueOf({ ...proof, balances, entries: proof.entries.slice(0, 2) })).toEqual({ part: 'leaf' });
  expect(await issueOf({ ...proof, balances })).toEqual({ part: 'balance', kind: 'available' });
});

test('sums that are consistently wrong are no chain, whatever is signed', async () => {
  const proof = proofWithEntries();
  for (const change of [{ balance: 1_001 }, { credits: 999 }, { version: 2 }]) {
    const [first] = proof.entries;
    const entry = { ...(first as ProofEntry), ...change };
    const link = hash(
      'sha256',
      Buffer.concat([Buffer.of(HASH_PREFIX.link), Buffer.from(NO_PREVIOUS, 'hex'), Buffer.from(entryText(entry))]),
    );
    const issue = await issueOf({ ...proof, entries: proof.entries.with(0, { ...entry, link }) });
    expect([change, issue?.part]).toEqual([change, 'entry']);
  }
});

test('what is no file of a proof says which part of it is not', async () => {
  const proof = proofWithEntries();
  const [entry] = proof.entries;
  const [head] = proof.heads;
  const wrong: Record<string, unknown[]> = {
    account: [7],
    day: ['21/11/2026'],
    publicKey: ['ab'],
    heads: [null, [], [{ ...head, leaves: 1.5 }], [{ ...head, root: 'x' }], [[]]],
    leaf: [-1, 0.5, '0'],
    path: [null, ['x']],
    balances: [null, [], { available: '780' }],
    chains: [null, { available: 'x' }],
    entries: [null, [null], [{ ...entry, version: '1' }], [{ ...entry, posting: 7 }], [{ ...entry, transaction: 7 }]],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const issue = await issueOf({ ...proof, [name]: value } as ProofFile);
      expect([name, value, issue]).toEqual([
        name,
        value,
        { part: 'file', detail: expect.stringContaining(`"${name}"`) },
      ]);
    }
  }
  expect(await issueOf({ ...proof, format: 'other' })).toMatchObject({ part: 'file' });
  for (const file of [null, [], 'text', 7]) expect((await verifyProof(file)).issue?.part).toBe('file');
});
