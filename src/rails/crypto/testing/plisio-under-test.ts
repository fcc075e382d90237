import { afterEach, beforeEach } from 'vitest';
import type { RailCall } from '../../pix/api-pix-rail.ts';
import { type Answer, type ScriptedPsp, startScriptedPsp } from '../../pix/testing/scripted-psp.ts';
import type { CryptoRail } from '../../ports.ts';
import { createPlisioRail, type PlisioRailOptions } from '../plisio-rail.ts';
import { API_KEY } from './examples.ts';

export type PlisioUnderTest = {
  /** The scripted server plays Plisio: it sends scripted responses and keeps the requests. */
  plisio: ScriptedPsp;
  rail: CryptoRail;
  /** What the rail reported to its metrics. */
  calls: RailCall[];
  connect(options?: Partial<PlisioRailOptions>): CryptoRail;
  script(...answers: Answer[]): void;
  /** The paths of the calls, without their queries. */
  paths(): string[];
  /**
   * Returns the query of the call at `index`, without the key. Throws if the call lacked the key.
   */
  query(index: number): Record<string, string>;
};

/**
 * Gives each test of the file a scripted Plisio and a rail connected to it, in one object whose
 * fields are replaced before each test.
 */
export function setUpPlisioUnderTest(): PlisioUnderTest {
  const setup = {} as PlisioUnderTest;
  let rails: CryptoRail[] = [];

  setup.connect = (options = {}) => {
    const rail = createPlisioRail({
      name: 'plisio',
      baseUrl: setup.plisio.baseUrl,
      apiKey: API_KEY,
      clock: () => new Date('2026-11-20T12:00:00Z'),
      lostAfterMs: 600_000,
      onCall: (call) => setup.calls.push(call),
      ...options,
    });
    rails.push(rail);
    return rail;
  };
  setup.script = (...answers) => {
    setup.plisio.answers = answers;
  };
  const urls = () => setup.plisio.calls.map(({ call }) => new URL(call.replace(/^GET /, ''), 'http://plisio'));
  setup.paths = () => urls().map(({ pathname }) => pathname.replace('/psp/api', ''));
  setup.query = (index) => {
    const { api_key, ...query } = Object.fromEntries(urls()[index]?.searchParams ?? []);
    if (api_key !== API_KEY) throw new Error('This call came without the API key.');
    return query;
  };
  beforeEach(async () => {
    setup.plisio = await startScriptedPsp();
    rails = [];
    setup.calls = [];
    setup.rail = setup.connect();
  });
  afterEach(async () => {
    await setup.plisio.close();
    await Promise.all(rails.map((rail) => rail.close()));
  });
  return setup;
}
