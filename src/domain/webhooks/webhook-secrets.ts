const HOUR_MS = 3_600_000;

/**
 * For how long after a rotation the previous secret signs beside the new one: time to change a
 * receiver on a working day.
 */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;

type Secrets = { current: string; previous: string | null; until: Date | null };

/** Returns the secrets that sign a message sent at `at`, the current one first. */
export function signingSecrets({ current, previous, until }: Secrets, at: Date): string[] {
  return previous !== null && until !== null && until > at ? [current, previous] : [current];
}

/**
 * Returns the secrets that signed what was sent at `at`; `null` for what was sent before the last
 * rotation, because the secret that signed it may be gone. After an overlap that was ended early
 * (no previous secret, `until` is when) only what was sent since is certain.
 */
export function secretsThatSigned(secrets: Secrets, at: Date): string[] | null {
  const { previous, until } = secrets;
  if (until === null) return [secrets.current];
  const certainFrom = until.getTime() - (previous === null ? 0 : SECRET_OVERLAP_MS);
  return at.getTime() > certainFrom ? signingSecrets(secrets, at) : null;
}
