import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PSP_PROFILES } from '#rails/pix/profiles/psp-profiles.ts';

const SRC = join(import.meta.dirname, '..');

/** A constant that is an address at which somebody else is asked. */
const ADDRESS = /^(?:export )?const \w*BASE_URL = '([^']+)'/gm;

/** The hosts that our code names itself; those that are given as settings have other names. */
function outgoingHosts(): string[] {
  const markets = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing'))
    .flatMap((path) => [...readFileSync(join(SRC, path), 'utf8').matchAll(ADDRESS)].map(([, url = '']) => url));
  const tokens = Object.values(PSP_PROFILES).flatMap(({ hosts }) =>
    Object.entries(hosts).flatMap(([host, { tokenUrl }]) => (new URL(tokenUrl).host === host ? [] : [tokenUrl])),
  );
  return [...markets, ...tokens].map((url) => new URL(url).host);
}

// ASVS 13.1.1
test('docs/operations.md names every host that the service knows by itself', () => {
  const text = readFileSync(join(SRC, '../docs/operations.md'), 'utf8');
  const [, section = ''] = /^## Whom the service speaks to\n([\s\S]*?)^## /m.exec(text) ?? [];
  const named = new Set(section.match(/`[a-z0-9-]+(\.[a-z0-9-]+)+`/g)?.map((host) => host.slice(1, -1)));
  expect(new Set(outgoingHosts())).toEqual(named);
});
