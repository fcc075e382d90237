import type { Database } from '#db/connection/database.ts';
import { type KeyHolder, listKeyHolders, listMasterKeys, retireMasterKeys } from '#db/encryption/master-keys.ts';
import { type SealedTable, sealedTables } from '#db/encryption/sealed-tables.ts';
import { countSealed, type SealedCount, undeclaredSealedColumns } from '#db/encryption/sealed-values.ts';
import { isNewerVersion } from '#domain/encryption/master-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

type KeyDeps = { db: Database; secretBox: SecretBox; clock: () => Date };

export type KeyStatus = {
  keys: KeyState[];
  /** By column, how many values each key has sealed. */
  counts: SealedCount[];
  /** Columns of sealed values that are missing from the registry: nothing seals them again. */
  undeclared: string[];
  processes: KeyHolder[];
};

export type KeyState = {
  version: string;
  /** What the key does in this process: the first one seals, the others only open. */
  use: 'seals' | 'opens' | 'absent';
  values: number;
  retiredAt: Date | null;
  /** It was made after the key that seals: it is there to be promoted. */
  isNewer: boolean;
  /** Why the key can't be removed; null: nothing needs it. */
  neededBy: string | null;
};

/** What each master key is still needed for. Reads every row that has sealed values. */
export async function getKeyStatus(
  { db, secretBox }: Omit<KeyDeps, 'clock'>,
  tables: readonly SealedTable[] = sealedTables(),
): Promise<KeyStatus> {
  const counts = await countSealed(db.pool, tables);
  const undeclared = await undeclaredSealedColumns(db.pool, tables);
  const processes = await listKeyHolders(db.pool);
  const records = await listMasterKeys(db);
  const [first, ...others] = secretBox.versions;
  const versions = new Set([...secretBox.versions, ...records.map(({ version }) => version)]);
  const keys = [...versions, ...unknownVersions(counts, versions)].map((version): KeyState => {
    const values = sum(counts.filter((count) => count.version === version));
    const use = version === first ? 'seals' : others.includes(version) ? 'opens' : 'absent';
    const retiredAt = records.find((record) => record.version === version)?.retiredAt ?? null;
    const isNewer = isNewerVersion(version, first);
    return {
      version,
      use,
      values,
      retiredAt,
      isNewer,
      neededBy: neededBy(version, use, { counts, undeclared, processes }),
    };
  });
  return { keys, counts, undeclared, processes };
}

/**
 * Marks as retired the keys that nothing needs any more, so that the service starts without them;
 * returns their versions. A key that a running process seals with, or that a value is sealed with,
 * stays, and so does one that is newer than the one that seals.
 */
export async function retireUnneededKeys(deps: KeyDeps, status: KeyStatus): Promise<string[]> {
  const unneeded = status.keys.filter(({ neededBy, use, isNewer }) => neededBy === null && use !== 'seals' && !isNewer);
  const versions = unneeded.map(({ version }) => version);
  await retireMasterKeys(deps.db, versions, deps.clock());
  return versions;
}

function neededBy(
  version: string,
  use: KeyState['use'],
  { counts, undeclared, processes }: Pick<KeyStatus, 'counts' | 'undeclared' | 'processes'>,
): string | null {
  if (use === 'seals') return 'seals what is new';
  const own = counts.filter((count) => count.version === version);
  if (own.length > 0) return `${sum(own)} values (${describeCounts(own)})`;
  const unversioned = counts.filter((count) => count.version === '');
  if (unversioned.length > 0)
    return `${sum(unversioned)} values that don't say their key (${describeCounts(unversioned)})`;
  if (undeclared.length > 0) return `columns that are missing from the registry: ${undeclared.join(', ')}`;
  const sealing = processes.filter(({ seals }) => seals === version);
  if (sealing.length > 0)
    return `${sealing.length} running ${sealing.length === 1 ? 'process seals' : 'processes seal'} with it`;
  return null;
}

/** Such as `accounts.webhook_secret 2, mails.sealed 1`. */
export const describeCounts = (counts: readonly SealedCount[]): string =>
  counts.map(({ column, values }) => `${column} ${values}`).join(', ');

const sum = (counts: readonly SealedCount[]) => counts.reduce((total, { values }) => total + values, 0);

const unknownVersions = (counts: readonly SealedCount[], known: ReadonlySet<string>) =>
  new Set(counts.map(({ version }) => version).filter((version) => version !== '' && !known.has(version)));
