import { findKeyOwner, type KeyOwner } from '#db/api-keys/api-keys.ts';
import type { Database } from '#db/connection/database.ts';
import { hashApiKey, readApiKey } from '#domain/api-keys/api-key-format.ts';
import { DomainError } from '#domain/errors/domain-error.ts';

/**
 * How long a process caches a key. A revocation, an expiry and a planned change of the terms do not
 * wait for this.
 */
const CACHE_MS = 60_000;
/** Bounds the memory; far more keys than one installation has. */
const CACHED_KEYS_MAX = 10_000;

export type { KeyOwner };

export type Authenticator = {
  /**
   * The account of a key. Errors: api_key_missing, api_key_invalid (wrong form or checksum,
   * unknown, revoked, expired).
   */
  authenticate(key: string | undefined): Promise<KeyOwner>;
  /**
   * The account of a key that this process has cached as valid; null when it would have to be
   * looked up.
   */
  getCached(key: string | undefined): KeyOwner | null;
  /**
   * Whether a key was valid when this process looked it up last, however long ago, and has not
   * expired since.
   */
  isKnownKey(key: string): boolean;
  /** Drops the cached keys of one account, of a merchant's accounts, or of all. */
  invalidate(id?: string): void;
  /** While invalidations can't arrive nothing is cached, so that a revoked key stays rejected. */
  setInvalidationOnline(arrive: boolean): void;
};

export function createAuthenticator(db: Database, clock: () => Date): Authenticator {
  const cache = new Map<string, { owner: KeyOwner; until: number }>();
  /** Keys that were valid, with when they expire. */
  const knownKeys = new Map<string, Date | null>();
  const underway = new Map<string, Promise<KeyOwner | null>>();
  let invalidationOnline = false;
  // Counts invalidations: a look-up that began before one must not cache what it read.
  let epoch = 0;

  const invalidate = (id?: string) => {
    epoch++;
    underway.clear();
    if (id === undefined) return cache.clear();
    for (const [key, { owner }] of cache) {
      if (owner.accountId === id || owner.merchantId === id) cache.delete(key);
    }
  };

  const lookUp = async (key: string) => {
    const began = epoch;
    const now = clock();
    const owner = await findKeyOwner(db.pool, hashApiKey(key), now);
    if (!owner) knownKeys.delete(key);
    else if (knownKeys.size < CACHED_KEYS_MAX || knownKeys.has(key)) knownKeys.set(key, owner.expiresAt);
    if (owner && invalidationOnline && began === epoch) {
      if (cache.size >= CACHED_KEYS_MAX) cache.clear();
      cache.set(key, { owner, until: now.getTime() + CACHE_MS });
    }
    return owner;
  };

  const getCached = (key: string | undefined): KeyOwner | null => {
    const known = key === undefined ? undefined : cache.get(key);
    const now = clock();
    if (!known || known.until <= now.getTime() || !isCurrent(known.owner.expiresAt, now)) return null;
    return isCurrent(known.owner.termsChangeAt, now) ? known.owner : null;
  };

  return {
    invalidate,
    getCached,
    isKnownKey(key) {
      const expiresAt = knownKeys.get(key);
      return expiresAt !== undefined && isCurrent(expiresAt, clock());
    },
    setInvalidationOnline(arrive) {
      invalidationOnline = arrive;
      invalidate();
    },
    async authenticate(key) {
      if (!key) throw new DomainError('api_key_missing');
      const known = getCached(key);
      if (known) return known;
      if (!readApiKey(key)) throw new DomainError('api_key_invalid');
      let lookup = underway.get(key);
      if (!lookup) {
        const own = lookUp(key).finally(() => {
          if (underway.get(key) === own) underway.delete(key);
        });
        underway.set(key, own);
        lookup = own;
      }
      const owner = await lookup;
      if (!owner || !isCurrent(owner.expiresAt, clock())) throw new DomainError('api_key_invalid');
      return owner;
    },
  };
}

const isCurrent = (expiresAt: Date | null, now: Date) => expiresAt === null || expiresAt.getTime() > now.getTime();
