/**
 * The result of a function that throws for a value which it can't take; `null` then. The error is
 * dropped, because its text may quote what was given.
 */
export function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
