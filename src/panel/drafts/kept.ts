/** Longer than a working day; a form that is opened later starts empty. */
const KEPT_MS = 24 * 60 * 60_000;
const PREFIX = 'trilho.kept ';
/** Fields of these names are never kept, whatever a form asks for. */
const SECRET = /password|secret|token|otp|recovery|^code$/i;

/** The owner of what is kept: a member in one account, which is of one mode. */
export type Owner = { accountId: string; email: string };

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * Returns what was kept under a name in this tab; null where there is nothing, or it is too old.
 */
export function readKept(owner: Owner, name: string, now = Date.now(), storage = tabStorage()): unknown {
  try {
    const { at, value } = JSON.parse(storage?.getItem(keyOf(owner, name)) ?? 'null') ?? {};
    return typeof at === 'number' && now - at < KEPT_MS ? (value ?? null) : null;
  } catch {
    return null;
  }
}

/**
 * Keeps a value in this tab alone: it outlives a reload, and goes with the tab. Secrets are left
 * out. A browser that stores nothing is no error: it is then as if the page had never been
 * reloaded.
 */
export function keep(owner: Owner, name: string, value: unknown, now = Date.now(), storage = tabStorage()): void {
  const withoutSecrets = (field: string, content: unknown) => (SECRET.test(field) ? undefined : content);
  try {
    storage?.setItem(keyOf(owner, name), JSON.stringify({ at: now, value }, withoutSecrets));
  } catch {
    // The storage is full, or forbidden.
  }
}

export function dropKept(owner: Owner, name: string, storage = tabStorage()): void {
  storage?.removeItem(keyOf(owner, name));
}

/** Drops everything that is kept; with `but`, an e-mail, everything that is not of this member. */
export function dropAllKept(options: { but?: string } = {}, storage = tabStorage()): void {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
  for (const key of keys) if (key.startsWith(PREFIX) && emailOf(key) !== options.but) storage?.removeItem(key);
}

const keyOf = ({ accountId, email }: Owner, name: string) => PREFIX + JSON.stringify([email, accountId, name]);

function emailOf(key: string): unknown {
  try {
    return JSON.parse(key.slice(PREFIX.length))[0];
  } catch {
    return null;
  }
}

/**
 * The tab's storage; null where there is none. A browser that forbids it throws when it is asked
 * for.
 */
function tabStorage(): Storage | null {
  try {
    return typeof window === 'undefined' ? null : window.sessionStorage;
  } catch {
    return null;
  }
}
