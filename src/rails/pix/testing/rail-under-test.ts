import { afterEach, beforeEach, vi } from 'vitest';
import type { PixRail } from '../../ports.ts';
import { type ApiPixRailOptions, createApiPixRail, type RailCall } from '../api-pix-rail.ts';
import { PIX_KEY } from './examples.ts';
import { type ScriptedPsp, startScriptedPsp } from './scripted-psp.ts';

export type RailUnderTest = {
  psp: ScriptedPsp;
  rail: PixRail;
  /** What the rail reported to its metrics. */
  calls: RailCall[];
  /** The time of the rail's clock, in milliseconds. */
  nowMs: number;
  /** Another rail to the same PSP. */
  connect(options?: Partial<ApiPixRailOptions>): PixRail;
};

/**
 * Gives each test of the file a scripted PSP and a rail connected to it, in one object whose fields
 * are replaced before each test.
 */
export function setUpRailUnderTest(): RailUnderTest {
  const setup = {} as RailUnderTest;
  let rails: PixRail[] = [];

  setup.connect = (options = {}) => {
    const rail = createApiPixRail({
      name: 'psp',
      baseUrl: setup.psp.baseUrl,
      clientId: 'shop',
      clientSecret: 's3cret:with/signs',
      pixKey: PIX_KEY,
      clock: () => new Date(setup.nowMs),
      onCall: (call) => setup.calls.push(call),
      ...options,
    });
    rails.push(rail);
    return rail;
  };
  beforeEach(async () => {
    setup.psp = await startScriptedPsp();
    rails = [];
    setup.calls = [];
    setup.nowMs = Date.parse('2026-11-20T12:00:00Z');
    setup.rail = setup.connect();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await setup.psp.close();
    await Promise.all(rails.map((rail) => rail.close()));
  });
  return setup;
}
