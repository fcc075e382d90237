import type { Deps } from '#services/deps.ts';

/**
 * The same dependencies for each kind of request: they differ in whose connections they use
 * (lanes.ts).
 */
export type LaneDeps = Record<'writes' | 'reads' | 'visitors', Deps>;
