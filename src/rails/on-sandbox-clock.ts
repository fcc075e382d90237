import type { CryptoRail, PixRail } from './ports.ts';
import type { PriceAggregator } from './quotes/price-aggregator.ts';
import type { RailRegistry } from './registry.ts';
import { askingByClock } from './sandbox-clock-header.ts';

/** An account's test clock: how much later its time is than the service's own. */
export type SandboxClock = { accountId: string; aheadMs: number };

/**
 * Returns the rails of an account with a test clock: calls to the sandbox go by that clock, and its
 * markets' prices are of that time. Other rails stay as they are.
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

/**
 * Returns a rail whose methods, and those of its parts (`payouts`, `disputes`), go by the account's
 * test clock.
 */
function byClock<Rail extends object>(rail: Rail, accountId: string): Rail {
  return new Proxy(rail, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'object' && member !== null) return byClock(member, accountId);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => askingByClock(accountId, () => Reflect.apply(member, target, args));
    },
  });
}

/** Prices are requested and cached in the service's own time, and then dated ahead. */
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
