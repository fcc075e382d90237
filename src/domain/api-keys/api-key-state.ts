/**
 * The state of an API key. `active` and `retiring` work; `retiring`: it was replaced and works
 * until it expires; `replaced`: it was replaced and has expired; `expired`: it has reached its own
 * expiry; `revoked`: it was ended at once.
 */
export const API_KEY_STATES = ['active', 'retiring', 'replaced', 'expired', 'revoked'] as const;

export type ApiKeyState = (typeof API_KEY_STATES)[number];

type KeyDates = { expiresAt: Date | null; revokedAt: Date | null; replacedById: string | null };

/** The state of a key at `now`; at the instant of its expiry it has expired. */
export function apiKeyState({ expiresAt, revokedAt, replacedById }: KeyDates, now: Date): ApiKeyState {
  if (revokedAt) return 'revoked';
  const isActive = expiresAt === null || expiresAt.getTime() > now.getTime();
  if (replacedById) return isActive ? 'retiring' : 'replaced';
  return isActive ? 'active' : 'expired';
}

/**
 * How long the old key may go on working beside its replacement: long enough for a week's
 * deployments, short enough to come to an end.
 */
export const OVERLAP_HOURS_MAX = 7 * 24;

/** Enough for one key per system and environment; an account with more has unused ones. */
export const WORKING_KEYS_MAX = 50;

/** In code points: the name is shown in a list. */
export const KEY_NAME_LENGTH_MAX = 60;

/** A key that is needed for longer gets no expiry. */
export const KEY_LIFETIME_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;

/** Whether a key made at `now` may expire at an instant. */
export const mayExpireAt = (at: Date, now: Date): boolean =>
  at > now && at.getTime() <= now.getTime() + KEY_LIFETIME_DAYS_MAX * DAY_MS;
