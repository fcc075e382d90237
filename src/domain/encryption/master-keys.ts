import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** AES-256 wants 32 bytes. */
export const KEY_BYTES = 32;

/** `v` and a number of at most seven digits; what is longer is no version. */
export const VERSION_LENGTH_MAX = 8;
const ENTRY = /^\s*(v(?:0|[1-9]\d{0,6})):([A-Za-z0-9+/]+=*)\s*$/;

export type MasterKey = { version: string; key: KeyObject };

/**
 * Reads `v2:<base64 of 32 bytes>,v1:<…>`. The keys are key objects: given bytes, Node would create
 * one for each use, which takes longer than the use itself. Throws with a text that never shows a
 * key.
 */
export function parseMasterKeys(text: string): [MasterKey, ...MasterKey[]] {
  const keys = entriesOf(text).map((entry) => {
    const match = ENTRY.exec(entry);
    const key = Buffer.from(match?.[2] ?? '', 'base64');
    if (!match?.[1] || key.length !== KEY_BYTES) {
      throw new Error('MASTER_KEYS must be v1:<base64 of 32 bytes>, newer keys in front, separated by commas.');
    }
    return { version: match[1], key: createSecretKey(key) };
  });
  const twice = keys.find(({ version }, at) => keys.findIndex((key) => key.version === version) !== at);
  if (twice) throw new Error(`MASTER_KEYS must be different versions: ${twice.version} is there twice.`);
  const [first, ...others] = keys;
  if (!first) throw new Error('MASTER_KEYS must be at least one key.');
  return [first, ...others];
}

/** A fresh MASTER_KEYS value of one key. */
export const generateMasterKeys = (): string => generateKey('v1');

/**
 * Returns the list with a fresh key at its end: it opens, and does not seal until it is promoted.
 * Its version is above all in the list and all of `used`, which a database knows with other keys.
 * Throws as parseMasterKeys does.
 */
export const addMasterKey = (text: string, used: readonly string[] = []): string =>
  `${text.trim()},${generateKey(nextVersion([...parseMasterKeys(text).map(({ version }) => version), ...used]))}`;

/** Whether the first version was made after the second one. */
export const isNewerVersion = (one: string, other: string): boolean => numberOf(one) > numberOf(other);

/**
 * Returns the list with this version in front, so that it seals; `null` when it is not in the list.
 */
export function promoteMasterKey(text: string, version: string): string | null {
  const entries = entriesOf(text).map((entry) => entry.trim());
  const promoted = entries.find((entry) => entry.startsWith(`${version}:`));
  return promoted ? [promoted, ...entries.filter((entry) => entry !== promoted)].join(',') : null;
}

/**
 * Returns the list without this version; `null` when it is not in the list, or the one that seals.
 */
export function removeMasterKey(text: string, version: string): string | null {
  const entries = entriesOf(text).map((entry) => entry.trim());
  const at = entries.findIndex((entry) => entry.startsWith(`${version}:`));
  return at > 0 ? entries.filter((_, other) => other !== at).join(',') : null;
}

const entriesOf = (text: string) => text.split(',');
const generateKey = (version: string) => `${version}:${randomBytes(KEY_BYTES).toString('base64')}`;

const numberOf = (version: string) => Number(version.slice(1));
const nextVersion = (versions: readonly string[]) => `v${Math.max(...versions.map(numberOf)) + 1}`;
