import { readFileSync } from 'node:fs';
import { type ProofIssue, type ProofResult, verifyProof } from '#domain/ledger/verify-proof.ts';
import { isDay } from '#domain/reports/statement-period.ts';
import { openProof } from '#services/ledger/open-proof.ts';
import { getSigningKey } from '#services/ledger/signing-key.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { counted } from './counted.ts';
import { print } from './print.ts';
import { writeNewFile } from './write-new-file.ts';

/**
 * `ledger proof`: writes the proof to a new file, readable by this user only. Throws CommandError.
 */
export async function writeProofFile(
  typedId: string,
  { at, file, json }: { at?: string; file?: string; json?: boolean },
): Promise<void> {
  const accountId = asId('account', typedId);
  if (at !== undefined && !isDay(at)) throw new CommandError('Give a day of São Paulo, such as 2026-11-22.');
  const report = await withContext(async ({ db }) => {
    const proof = await openProof({ db }, accountId, at);
    if (!proof) throw new CommandError('No day up to then has a signed head with entries of this account.');
    const { day, hash, publicKey } = proof.head;
    const path = file ?? `trilho-proof-${day}.json`;
    try {
      await writeNewFile(path, proof.pieces());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${path} is there already.`);
      throw error;
    }
    return { file: path, day, entries: proof.entries, head: hash, publicKey };
  });
  print(json, report, () => [
    `In ${report.file}: ${counted(report.entries, 'entry', 'entries')} up to the end of ${report.day}.`,
    `Last head ${report.head}, public key ${report.publicKey}.`,
  ]);
}

/** `ledger verify`: needs nothing but the file. Throws CommandError where it can't be read. */
export async function verifyProofFile(file: string, { key, json }: { key?: string; json?: boolean }): Promise<void> {
  const proof = readJson(file);
  const { issue, ...result } = await verifyProof(proof);
  const publicKey = (proof as { publicKey?: string } | null)?.publicKey ?? null;
  const wrong = issue
    ? describeProofIssue(issue)
    : isOtherKey(key, publicKey)
      ? `its public key is ${publicKey}`
      : null;
  print(json, { ok: wrong === null, issue: wrong, ...result, publicKey }, () =>
    wrong
      ? [`NOT PROVED: ${wrong}.`]
      : [...describeResult(result), `Public key ${publicKey}: compare it with the one that you were given.`],
  );
  if (wrong) process.exitCode = 1;
}

const isOtherKey = (wanted: string | undefined, publicKey: string | null) =>
  wanted !== undefined && wanted.toLowerCase() !== publicKey;

const describeResult = ({ balances, entries, headHash }: Omit<ProofResult, 'issue'>): string[] => [
  `Proved: ${counted(entries, 'entry', 'entries')}, ${Object.entries(balances)
    .map(([kind, centavos]) => `${kind} ${centavos}`)
    .join(', ')} centavos.`,
  `Last head ${headHash}: compare it with what others have of that day.`,
];

function describeProofIssue(issue: ProofIssue): string {
  switch (issue.part) {
    case 'file':
      return `the file is not a proof: ${issue.detail}`;
    case 'head':
      return `the head of ${issue.day} is not signed with the file's key, or does not follow the one before it`;
    case 'entry':
      return `entry ${issue.version} of ${issue.kind}, transaction ${issue.transaction}, is not as it was sealed`;
    case 'balance':
      return `the balance ${issue.kind} is not that of its entries`;
    case 'leaf':
      return 'the tree of the day has another leaf: entries at the end are missing, or the account, its leaf or the path is another one';
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** `ledger key`: prints the public key of the proof. */
export async function showProofKey({ json }: { json?: boolean }): Promise<void> {
  const { publicKey } = await withContext(getSigningKey);
  print(json, { publicKey }, () => [publicKey]);
}
