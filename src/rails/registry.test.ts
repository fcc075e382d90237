import { describe, expect, test } from 'vitest';
import { readOwnCredentials } from './own-credentials.ts';
import type { CryptoRail, PixRail } from './ports.ts';
import type { PriceAggregator } from './quotes/price-aggregator.ts';
import { createRailRegistry, type OwnRail, ownRailName } from './registry.ts';

const INSTALLATION = readOwnCredentials('plisio', { apiKey: 'ours' });
const CREDENTIAL_ID = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';

/** A rail that is nothing but its name and whether it has been closed. */
function rail(name: string) {
  const closed = { is: false };
  const named = {
    name,
    closed,
    async close() {
      closed.is = true;
    },
  };
  return named as unknown as PixRail & CryptoRail & PriceAggregator & { closed: { is: boolean } };
}

function registry(options: { demo?: boolean; own?: Record<string, OwnRail['kind']>; failures?: number } = {}) {
  const { own = {}, demo = false } = options;
  const time = { ms: 0 };
  let failures = options.failures ?? 0;
  const parts = {
    sandbox: { pix: rail('sandbox'), crypto: rail('sandbox-crypto'), quotes: rail('sandbox-quotes') },
    psp: rail('psp'),
    plisio: rail('plisio'),
    quotes: rail('markets'),
  };
  const opened: (PixRail & CryptoRail & { closed: { is: boolean } })[] = [];
  const rails = createRailRegistry({
    ...parts,
    demo,
    clock: () => new Date(time.ms),
    async openOwn(id, name) {
      if (failures-- > 0) throw new Error('the database is away');
      const kind = own[id];
      if (!kind) return null;
      const found = rail(name);
      opened.push(found);
      return { kind, rail: found };
    },
    listOwn: async (kind) => Object.keys(own).filter((id) => own[id] === kind),
    closeOwn: async () => void (await Promise.all(opened.map((one) => one.close()))),
    checkOwn: async () => [],
    installation: [INSTALLATION],
  });
  return { rails, parts, opened, time };
}
const nameOf = async (found: Promise<PixRail | CryptoRail | null>) => (await found)?.name ?? null;

describe('the rail of an account', () => {
  test('in test mode is the sandbox, whatever credentials the account has', async () => {
    const { rails, opened } = registry({ own: { [CREDENTIAL_ID]: 'api_pix' } });
    const choice = { mode: 'test', credentialId: CREDENTIAL_ID } as const;
    expect([await nameOf(rails.pixFor(choice)), await nameOf(rails.cryptoFor(choice))]).toEqual([
      'sandbox',
      'sandbox-crypto',
    ]);
    expect(rails.quotesFor('test')).toMatchObject({ name: 'sandbox-quotes' });
    expect(opened).toEqual([]);
  });
  test('in a demo is the sandbox in live mode too, over credentials of its own where the sandbox gave it some', async () => {
    const choice = { mode: 'live', credentialId: CREDENTIAL_ID } as const;
    // Credentials that are not the sandbox's own are not opened in a demo.
    const { rails } = registry({ demo: true });
    expect([await nameOf(rails.pixFor(choice)), await nameOf(rails.cryptoFor(choice))]).toEqual([
      'sandbox',
      'sandbox-crypto',
    ]);
    const { rails: own } = registry({ demo: true, own: { [CREDENTIAL_ID]: 'api_pix' } });
    expect(await nameOf(own.pixFor(choice))).toBe(ownRailName(CREDENTIAL_ID));
    expect(await nameOf(own.pixFor({ mode: 'test', credentialId: CREDENTIAL_ID }))).toBe('sandbox');
  });
  test('in live mode is the installation’s', async () => {
    const { rails } = registry();
    const choice = { mode: 'live', credentialId: null } as const;
    expect([await nameOf(rails.pixFor(choice)), await nameOf(rails.cryptoFor(choice))]).toEqual(['psp', 'plisio']);
    expect(rails.quotesFor('live')).toMatchObject({ name: 'markets' });
  });
  test.each(['api_pix', 'plisio'] as const)(
    'is built once from the account’s own credentials (%s), where it has them',
    async (kind) => {
      const { rails, opened } = registry({ own: { [CREDENTIAL_ID]: kind } });
      const choice = { mode: 'live', credentialId: CREDENTIAL_ID } as const;
      const ask = () => nameOf(kind === 'api_pix' ? rails.pixFor(choice) : rails.cryptoFor(choice));
      expect(await Promise.all([ask(), ask()])).toEqual([ownRailName(CREDENTIAL_ID), ownRailName(CREDENTIAL_ID)]);
      expect(opened).toHaveLength(1);
    },
  );
  test('is missing for an account with credentials of the other kind: no account is served over another’s credentials', async () => {
    const { rails } = registry({ own: { [CREDENTIAL_ID]: 'plisio' } });
    expect(await rails.pixFor({ mode: 'live', credentialId: CREDENTIAL_ID })).toBeNull();
  });
});

describe('a rail by its name', () => {
  test('is the one that transactions name, and null where there is none', async () => {
    const { rails } = registry({ own: { [CREDENTIAL_ID]: 'plisio' } });
    const names = ['sandbox', 'psp', 'own-unknown', 'unknown'];
    expect(await Promise.all(names.map((name) => nameOf(rails.pixNamed(name))))).toEqual([
      'sandbox',
      'psp',
      null,
      null,
    ]);
    expect(await nameOf(rails.cryptoNamed(ownRailName(CREDENTIAL_ID)))).toBe(ownRailName(CREDENTIAL_ID));
  });
  test('is opened again when it could not be opened', async () => {
    const { rails } = registry({ own: { [CREDENTIAL_ID]: 'plisio' }, failures: 1 });
    await expect(rails.cryptoNamed(ownRailName(CREDENTIAL_ID))).rejects.toThrow('away');
    expect(await nameOf(rails.cryptoNamed(ownRailName(CREDENTIAL_ID)))).toBe(ownRailName(CREDENTIAL_ID));
  });
});

test('credentials that were replaced are noticed within ten seconds, and at once where that was done', async () => {
  const { rails, opened, time } = registry({ own: { [CREDENTIAL_ID]: 'api_pix' } });
  const name = ownRailName(CREDENTIAL_ID);
  await rails.pixNamed(name);
  time.ms = 9_999;
  await rails.pixNamed(name);
  expect(opened).toHaveLength(1);
  time.ms = 10_000;
  await rails.pixNamed(name);
  expect(opened).toHaveLength(2);
  rails.refreshOwn(CREDENTIAL_ID);
  await rails.pixNamed(name);
  expect(opened).toHaveLength(3);
});

test('credentials that were replaced are noticed also after the clock was set back', async () => {
  const { rails, opened, time } = registry({ own: { [CREDENTIAL_ID]: 'api_pix' } });
  time.ms = 3_600_000;
  await rails.pixNamed(ownRailName(CREDENTIAL_ID));
  time.ms = 60_000;
  await rails.pixNamed(ownRailName(CREDENTIAL_ID));
  expect(opened).toHaveLength(2);
});

test('the installation’s own credentials are recognised', () => {
  const { rails } = registry();
  expect(rails.isInstallations(INSTALLATION)).toBe(true);
  expect(rails.isInstallations(readOwnCredentials('plisio', { apiKey: 'theirs' }))).toBe(false);
});

test('the PIX rails are the sandbox’s, the installation’s and the accounts’ own', async () => {
  const { rails } = registry({ own: { [CREDENTIAL_ID]: 'api_pix', other: 'plisio' } });
  expect((await rails.pixRails()).map(({ name }) => name)).toEqual(['sandbox', 'psp', ownRailName(CREDENTIAL_ID)]);
});

test('everything that was opened is closed', async () => {
  const { rails, parts, opened } = registry({ own: { [CREDENTIAL_ID]: 'plisio' } });
  await rails.cryptoNamed(ownRailName(CREDENTIAL_ID));
  await rails.close();
  const all = [...Object.values(parts.sandbox), parts.psp, parts.plisio, parts.quotes, ...opened];
  expect(all.map(({ closed }) => closed.is)).toEqual(all.map(() => true));
});
