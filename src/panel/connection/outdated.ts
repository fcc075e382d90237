const listeners = new Set<() => void>();
let outdated = false;

/** Code of this page is gone from the service: a newer version has taken its place. */
export function noteOutdated(): void {
  outdated = true;
  for (const listener of listeners) listener();
}

export const isOutdated = (): boolean => outdated;

export function onOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
