import { afterEach, beforeEach, vi } from 'vitest';
import type { PixRail } from '../../ports.ts';
import { type ApiPixRailOptions, createApiPixRail, type RailCall } from '../api-pix.ts';
import { PIX_KEY } from './examples.ts';
import { type ScriptedPsp, startScriptedPsp } from './scripted-psp.ts';

export type RailUnderTest = {
  psp: ScriptedPsp;
  rail: PixRail;
  /** What the rail told its metrics. */
  calls: RailCall[];
  /** What the rail's clock says. */
  nowMs: number;
  /** Another rail to the same PSP. */
  connect(options?: Partial<ApiPixRailOptions>): PixRail;
};

/** Gives each test of the file a scripted PSP and a rail connected to it, in one object that is filled anew. */
export function setUpRailUnderTest(): RailUnderTest {
  const world = {} as RailUnderTest;
  let rails: PixRail[] = [];

  world.connect = (options = {}) => {
    const rail = createApiPixRail({
      name: 'psp',
      baseUrl: world.psp.baseUrl,
      clientId: 'shop',
      clientSecret: 's3cret:with/signs',
      pixKey: PIX_KEY,
      clock: () => new Date(world.nowMs),
      onCall: (call) => world.calls.push(call),
      ...options,
    });
    rails.push(rail);
    return rail;
  };
  beforeEach(async () => {
    world.psp = await startScriptedPsp();
    rails = [];
    world.calls = [];
    world.nowMs = Date.parse('2026-11-20T12:00:00Z');
    world.rail = world.connect();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.psp.close();
    await Promise.all(rails.map((rail) => rail.close()));
  });
  return world;
}
