import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import { MAGIC_CENTS, SANDBOX_SWITCHES, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';
import english from '#messages/en.json' with { type: 'json' };
import { PRICES } from '#sandbox/quotes/prices.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const PAGE = read('docs/sandbox.md');

/** The names that the page lacks; it writes each of them in backquotes. */
const missing = (page: string, names: string[]): string[] => names.filter((name) => !page.includes(`\`${name}\``));

const routes = [...read('src/sandbox/sandbox.ts').matchAll(/'((?:GET|PUT|POST|PATCH|DELETE) \/\S*)'/g)].map(
  ([, route = '']) => route,
);
const scopes = [...(/SCOPES = \[([^\]]+)\]/.exec(read('src/sandbox/oauth.ts'))?.[1] ?? '').matchAll(/'(\S+)'/g)].map(
  ([, scope = '']) => scope,
);
const values = Object.entries(SANDBOX_SWITCHES).flatMap(([name, all]) => [name, ...all]);
const cents = Object.values(MAGIC_CENTS).flatMap((table) => Object.keys(table));

test('the page of the sandbox has every route, scope, switch, value and magic value that there is', () => {
  expect(routes.length).toBeGreaterThan(15);
  expect(scopes.length).toBeGreaterThan(10);
  // The page writes several scopes in one pair of backquotes.
  expect(scopes.filter((scope) => !new RegExp(`[\`\\s]${scope}[\`\\s]`).test(PAGE))).toEqual([]);
  expect(missing(PAGE, [...routes, ...values, ...cents, UNKNOWN_PIX_KEY])).toEqual([]);
});

test('the page of the sandbox has every scope, and the reference every price', () => {
  const [, scopes = ''] = /const SCOPES = \[(.*?)\]/s.exec(read('src/sandbox/oauth.ts')) ?? [];
  const names = [...scopes.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(6);
  expect(names.filter((name) => !PAGE.includes(name))).toEqual([]);
  const text = english.docs.sandbox.text.replaceAll(',', '');
  const priceOf = (units: bigint) => Number(unitsToDecimal(units)).toFixed(2);
  const absent = Object.entries(PRICES).filter(([asset, units]) => {
    const others = asset === 'USDT' ? ' and USDC' : '';
    return !text.includes(`${asset}${others} R$ ${priceOf(units)}`);
  });
  expect(absent).toEqual([]);
});

test('planted: a route that the page lacks is found', () => {
  expect(missing('| `GET /cob/{txid}` |', ['GET /cob/{txid}', 'GET /pix'])).toEqual(['GET /pix']);
});
