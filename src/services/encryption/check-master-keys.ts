import type { Database } from '#db/connection/database.ts';
import { readSetting } from '#db/connection/settings.ts';
import {
  insertMasterKeys,
  listKeyHolders,
  listMasterKeys,
  type MasterKeyRecord,
  retireMasterKeys,
} from '#db/encryption/master-keys.ts';
import { sealedTables } from '#db/encryption/sealed-tables.ts';
import { countSealed } from '#db/encryption/sealed-values.ts';
import { isEqualBytes } from '#domain/encryption/is-equal-bytes.ts';
import { isNewerVersion } from '#domain/encryption/master-keys.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { describeCounts } from '../api-keys/key-status.ts';

type CheckDeps = { db: Database; secretBox: SecretBox; clock: () => Date };

/**
 * The master keys don't fit this database; the message is a line for the operator, without any
 * key.
 */
export class MasterKeyError extends Error {}

/**
 * Records master keys that are new to this database, and marks as retired those that are missing
 * and not needed any more; not one that another process has, and that is about to be promoted.
 * Throws MasterKeyError for keys that would leave something unreadable: another key than this
 * database was made with, a missing one that is still needed, and one to seal with that was retired
 * or that a running process does not have yet.
 */
export async function checkMasterKeys(deps: CheckDeps): Promise<void> {
  const { db, secretBox, clock } = deps;
  const [sealing] = secretBox.versions;
  const before = await listMasterKeys(db);
  assertSame(before, secretBox);
  const absent = before.filter(({ version, retiredAt }) => !retiredAt && !secretBox.versions.includes(version));
  if (absent.length > 0) await assertUnneeded(deps, absent);
  // A database that is older than the records of its keys is recognised by a sealed setting.
  await readSetting(db, secretBox, 'demo').catch(() => {
    throw new MasterKeyError(
      'MASTER_KEYS is not the one this database was made with: restore it, or use another database.',
    );
  });
  if (before.find(({ version }) => version === sealing)?.retiredAt) {
    throw new MasterKeyError(
      `Master key ${sealing} was taken out of use, and others may not have it any more: put a newer key in front of MASTER_KEYS.`,
    );
  }
  const without = (await listKeyHolders(db.pool)).filter(({ opens }) => !opens.includes(sealing));
  if (without.length > 0) {
    const who = without.map(({ pid, address }) => `${pid}${address ? ` from ${address}` : ''}`).join(', ');
    throw new MasterKeyError(
      `${without.length} running ${without.length === 1 ? 'process does' : 'processes do'} not have master key ${sealing} yet and could not open what it seals: ` +
        `put it behind the first key of MASTER_KEYS there and restart them before it comes to the front (their database connections: ${who}).`,
    );
  }
  await insertMasterKeys(db, secretBox.checks(), clock());
  // Two processes may record a new version at the same moment, and one of them another key.
  assertSame(await listMasterKeys(db), secretBox);
}

/**
 * Throws MasterKeyError for another key than this database was made with; unlike checkMasterKeys()
 * it writes nothing, and accepts a key that is missing or new.
 */
export async function rejectOtherMasterKeys({ db, secretBox }: Pick<CheckDeps, 'db' | 'secretBox'>): Promise<void> {
  assertSame(await listMasterKeys(db), secretBox);
}

function assertSame(records: readonly MasterKeyRecord[], box: SecretBox): void {
  for (const { version, check } of box.checks()) {
    const known = records.find((record) => record.version === version);
    if (known && !isEqualBytes(known.check, check)) {
      throw new MasterKeyError(
        `MASTER_KEYS is not the one this database was made with (its ${version} is another key): restore it, or use another database.`,
      );
    }
  }
}

/**
 * Retires keys that are missing from MASTER_KEYS; throws MasterKeyError where a value is still
 * sealed with one of them, or a running process seals with one.
 */
async function assertUnneeded({ db, secretBox, clock }: CheckDeps, absent: readonly MasterKeyRecord[]): Promise<void> {
  const versions = absent.map(({ version }) => version);
  const counts = await countSealed(db.pool, sealedTables());
  const needed = counts.filter(({ version }) => version === '' || versions.includes(version));
  if (needed.length > 0) {
    const total = needed.reduce((sum, { values }) => sum + values, 0);
    throw new MasterKeyError(
      `Master key ${versions.join(', ')} is not in MASTER_KEYS and still needed for ${total} values (${describeCounts(needed)}): ` +
        'put it back behind the first key, and run "trilho keys rotate" before it goes.',
    );
  }
  const holders = await listKeyHolders(db.pool);
  const sealing = holders.filter(({ seals }) => versions.includes(seals));
  if (sealing.length > 0) {
    throw new MasterKeyError(
      `Master key ${versions.join(', ')} is not in MASTER_KEYS, and ${sealing.length} running ${sealing.length === 1 ? 'process seals' : 'processes seal'} with it: ` +
        'restart them with the newer key in front first.',
    );
  }
  // One that is newer, and that a process has, is being added: it is not here yet.
  const [own] = secretBox.versions;
  const isBeingAdded = (version: string) =>
    isNewerVersion(version, own) && holders.some(({ opens }) => opens.includes(version));
  const givenUp = versions.filter((version) => !isBeingAdded(version));
  await retireMasterKeys(db, givenUp, clock());
}
