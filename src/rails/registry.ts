import type { PixRail } from './ports.ts';

/** The only place that chooses a rail. */
export type RailRegistry = {
  /** The rail new charges of this mode go to; null when none is configured. */
  pixFor(mode: 'live' | 'test'): PixRail | null;
  /** The rail a transaction was created on, or a callback came from. */
  pixNamed(name: string): PixRail | null;
  /** Every configured rail. */
  all(): PixRail[];
  close(): Promise<void>;
};

/**
 * Test accounts always use the sandbox. Live accounts use the PSP; in a demo, which has none, they use the sandbox too.
 */
export function createRailRegistry(rails: {
  sandbox: PixRail | null;
  psp: PixRail | null;
  demo: boolean;
}): RailRegistry {
  const { sandbox, psp, demo } = rails;
  const all = [sandbox, psp].filter((rail) => rail !== null);
  return {
    pixFor: (mode) => (mode === 'test' || demo ? sandbox : psp),
    pixNamed: (name) => all.find((rail) => rail.name === name) ?? null,
    all: () => all,
    async close() {
      await Promise.all(all.map((rail) => rail.close()));
    },
  };
}
