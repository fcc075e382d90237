import type { Deps } from '#services/deps.ts';

/** What better-auth encrypts and signs with. */
export const betterAuthSecret = (deps: Deps): string => deps.secretBox.derive('better-auth');
