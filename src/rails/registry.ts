import type { CheckFinding } from '#domain/providers/providers.ts';
import { type CurrencyCache, createCurrencyCache } from './currency-cache.ts';
import { isYounger } from './is-younger.ts';
import { isSameContract, type OwnCredentials } from './own-credentials.ts';
import type { CryptoRail, PixRail } from './ports.ts';
import type { PriceAggregator } from './quotes/price-aggregator.ts';

/**
 * What decides an account's rail: test accounts, and accounts with credentials of their own, use
 * another than the rest.
 */
export type RailChoice = { mode: 'live' | 'test'; credentialId: string | null };

/** The only place that chooses a rail. */
export type RailRegistry = {
  /** The rail new transactions of this account go to; null when none is configured. */
  pixFor(choice: RailChoice): Promise<PixRail | null>;
  cryptoFor(choice: RailChoice): Promise<CryptoRail | null>;
  /** The rail a transaction was created on, or a callback came from. */
  pixNamed(name: string): Promise<PixRail | null>;
  cryptoNamed(name: string): Promise<CryptoRail | null>;
  /**
   * The host of the provider of the rail with this name, which other rails may share; the name
   * itself where the rail can't be opened.
   */
  hostOf(name: string): Promise<string>;
  /** Returns the cache of what a crypto rail says of its currencies. */
  currenciesOf(rail: CryptoRail): CurrencyCache;
  /** Prices for accounts of this mode; null when none are configured. */
  quotesFor(mode: 'live' | 'test'): PriceAggregator | null;
  /** Returns every PIX rail: the installation's, and the accounts' own that can be opened. */
  pixRails(): Promise<PixRail[]>;
  /** Returns every crypto rail, likewise. */
  cryptoRails(): Promise<CryptoRail[]>;
  /** Asks a provider whether credentials are good, before or while they are used; reads only. */
  checkOwn(credentials: OwnCredentials): Promise<CheckFinding[]>;
  /** Makes this process use the newest of an account's own credentials from now on. */
  refreshOwn(credentialId: string): void;
  /**
   * Returns whether these are the installation's own: an account over them would count its money
   * again.
   */
  isInstallations(credentials: OwnCredentials): boolean;
  close(): Promise<void>;
};

/** A rail over an account's own credentials. */
export type OwnRail = { kind: 'api_pix'; rail: PixRail } | { kind: 'plisio'; rail: CryptoRail };

/**
 * Returns the name of a rail over an account's own credentials, from which their id can be read.
 */
export const ownRailName = (credentialId: string): string => `${OWN}${credentialId}`;
const OWN = 'own-';

/** Returns the id of the credentials in a rail's name; `null` for the installation's own rails. */
export const ownCredentialId = (railName: string): string | null =>
  railName.startsWith(OWN) ? railName.slice(OWN.length) : null;

/**
 * Another process may replace an account's credentials; this one notices it after this time. Until
 * then it uses the earlier ones, which are still valid.
 */
const OWN_FRESH_MS = 10_000;

/**
 * Test accounts always use the sandbox. Live accounts use their own credentials where they have
 * some, else the installation's; in a demo, which has none, the sandbox's.
 */
export function createRailRegistry(rails: {
  sandbox: { pix: PixRail; crypto: CryptoRail; quotes: PriceAggregator } | null;
  psp: PixRail | null;
  plisio: CryptoRail | null;
  quotes: PriceAggregator | null;
  demo: boolean;
  clock: () => Date;
  /**
   * Opens an account's own credentials under `name`, the same rail where they have not changed
   * since; `null` when there are none with this id, or none that this installation uses.
   */
  openOwn: (credentialId: string, name: string) => Promise<OwnRail | null>;
  /** The ids of the accounts' own credentials of a kind. */
  listOwn: (kind: OwnRail['kind']) => Promise<string[]>;
  closeOwn: () => Promise<void>;
  checkOwn: RailRegistry['checkOwn'];
  /** The installation's own. */
  installation: readonly OwnCredentials[];
}): RailRegistry {
  const { sandbox, psp, plisio, demo } = rails;
  const pixRails = [sandbox?.pix, psp].filter((rail) => rail !== null && rail !== undefined);
  const cryptoRails = [sandbox?.crypto, plisio].filter((rail) => rail !== null && rail !== undefined);
  const own = new Map<string, { opening: Promise<OwnRail | null>; atMs: number }>();
  const books = new WeakMap<CryptoRail, CurrencyCache>();
  const plays = (mode: 'live' | 'test') => mode === 'test' || demo;

  const openOwn = (name: string): Promise<OwnRail | null> => {
    if (!name.startsWith(OWN)) return Promise.resolve(null);
    const atMs = rails.clock().getTime();
    const known = own.get(name);
    if (known && isYounger(known.atMs, OWN_FRESH_MS, atMs)) return known.opening;
    const opening = rails.openOwn(name.slice(OWN.length), name);
    own.set(name, { opening, atMs });
    // What failed, or does not exist, is looked up again at the next call.
    const drop = () => {
      if (own.get(name)?.opening === opening) own.delete(name);
    };
    opening.then((found) => found ?? drop()).catch(drop);
    return opening;
  };
  const pixNamed = async (name: string) => {
    const known = pixRails.find((rail) => rail.name === name);
    if (known) return known;
    const found = await openOwn(name);
    return found?.kind === 'api_pix' ? found.rail : null;
  };
  const cryptoNamed = async (name: string) => {
    const known = cryptoRails.find((rail) => rail.name === name);
    if (known) return known;
    const found = await openOwn(name);
    return found?.kind === 'plisio' ? found.rail : null;
  };

  /**
   * Returns the accounts' own rails of a kind; one that can't be opened does not affect the others.
   */
  const allOwn = async <Rail>(kind: OwnRail['kind'], named: (name: string) => Promise<Rail | null>) => {
    const ids = await rails.listOwn(kind);
    const found = await Promise.all(ids.map((id) => named(ownRailName(id)).catch(() => null)));
    return found.filter((rail) => rail !== null);
  };

  return {
    async pixFor({ mode, credentialId }) {
      const isOwn = mode === 'live' && credentialId !== null;
      const found = isOwn ? await pixNamed(ownRailName(credentialId)) : null;
      // In a demo only credentials of the sandbox are opened.
      if (plays(mode)) return found ?? sandbox?.pix ?? null;
      return isOwn ? found : psp;
    },
    async cryptoFor({ mode, credentialId }) {
      const isOwn = mode === 'live' && credentialId !== null;
      const found = isOwn ? await cryptoNamed(ownRailName(credentialId)) : null;
      if (plays(mode)) return found ?? sandbox?.crypto ?? null;
      return isOwn ? found : plisio;
    },
    pixNamed,
    cryptoNamed,
    async hostOf(name) {
      const known = [...pixRails, ...cryptoRails].find((rail) => rail.name === name);
      if (known) return known.host;
      const found = await openOwn(name).catch(() => null);
      return found?.rail.host ?? name;
    },
    currenciesOf(rail) {
      let book = books.get(rail);
      if (!book) {
        book = createCurrencyCache(rail, rails.clock);
        books.set(rail, book);
      }
      return book;
    },
    quotesFor: (mode) => (plays(mode) ? (sandbox?.quotes ?? null) : rails.quotes),
    pixRails: async () => [...pixRails, ...(await allOwn('api_pix', pixNamed))],
    cryptoRails: async () => [...cryptoRails, ...(await allOwn('plisio', cryptoNamed))],
    checkOwn: rails.checkOwn,
    refreshOwn: (credentialId) => void own.delete(ownRailName(credentialId)),
    isInstallations: (credentials) => rails.installation.some((one) => isSameContract(one, credentials)),
    async close() {
      await Promise.all([
        ...[...pixRails, ...cryptoRails].map((rail) => rail.close()),
        rails.closeOwn(),
        sandbox?.quotes.close(),
        rails.quotes?.close(),
      ]);
    },
  };
}
