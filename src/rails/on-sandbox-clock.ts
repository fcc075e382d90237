import type { CryptoRail, PixRail } from './ports.ts';
import type { PriceAggregator } from './quotes/price-aggregator.ts';
import type { RailRegistry } from './registry.ts';
import { askingByClock } from './sandbox-clock-header.ts';

/** An account's test clock: how much later it is by it than by the service's own time. */
export type SandboxClock = { accountId: string; aheadMs: number };

/**
 * The rails of an account with a test clock: the sandbox's answer by that clock, and its markets'
 * prices are of that time. Others are as they were.
 */
export function onSandboxClock(
  registry: RailRegistry,
  clock: SandboxClock,
  isSandbox: (railName: string) => boolean,
): RailRegistry {
  const originals = new WeakMap<CryptoRail, CryptoRail>();
  const pix = (rail: PixRail | null) => (rail && isSandbox(rail.name) ? byClock(rail, clock.accountId) : rail);
  const crypto = (rail: CryptoRail | null) => {
    if (!rail || !isSandbox(rail.name)) return rail;
    const played = byClock(rail, clock.accountId);
    originals.set(played, rail);
    return played;
  };
  return {
    ...registry,
    pixFor: async (choice) => pix(await registry.pixFor(choice)),
    cryptoFor: async (choice) => crypto(await registry.cryptoFor(choice)),
    pixNamed: async (name) => pix(await registry.pixNamed(name)),
    cryptoNamed: async (name) => crypto(await registry.cryptoNamed(name)),
    currenciesOf: (rail) => registry.currenciesOf(originals.get(rail) ?? rail),
    quotesFor: (mode) => quotesAhead(registry.quotesFor(mode), clock.aheadMs),
  };
}

/** A rail whose every call says the clock. */
function byClock<Rail extends object>(rail: Rail, accountId: string): Rail {
  return new Proxy(rail, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => askingByClock(accountId, () => Reflect.apply(member, target, args));
    },
  });
}

/** Prices are asked for in the service's own time, and shared. */
function quotesAhead(quotes: PriceAggregator | null, aheadMs: number): PriceAggregator | null {
  if (!quotes) return null;
  const later = (at: Date) => new Date(at.getTime() + aheadMs);
  return {
    ...quotes,
    async quote(asset) {
      const answer = await quotes.quote(asset);
      if (answer.outcome !== 'done') return answer;
      const { value } = answer;
      const sources = value.sources.map((source) => ({ ...source, at: later(source.at) }));
      return { ...answer, value: { ...value, at: later(value.at), sources } };
    },
  };
}
