import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createClientAddress, createClientIp } from './client-address.ts';

/** The address that a request of a connection from `peer` with this X-Forwarded-For counts for. */
const addressOf = (peer: string | undefined, forwarded?: string, trustedProxies: string[] = []) =>
  createClientAddress(trustedProxies)({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('a connection from %s counts for %s', (peer, expected) => {
  expect(addressOf(peer)).toBe(expected);
});

test('all of a /64 is one client, its neighbour another', () => {
  expect(addressOf('2001:db8:1:2::1')).toBe(addressOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(addressOf('2001:db8:1:2::1')).not.toBe(addressOf('2001:db8:1:3::1'));
});

test('a connection that is closed already counts for the address "unknown"', () => {
  expect(addressOf(undefined, '198.51.100.7', ['0.0.0.0/0'])).toBe('unknown');
});

// ASVS 4.1.3, 15.3.4
test.each([
  ['no proxy is trusted', '203.0.113.9', []],
  ['it is no proxy of ours', '203.0.113.9', ['10.0.0.0/8', '2001:db8::/32']],
  ['it is next to the trusted range', '10.1.0.0', ['10.0.0.0/16']],
  ['an IPv6 range says nothing of an IPv4 address', '10.0.0.1', ['::/0']],
])('a client’s own X-Forwarded-For counts for nothing: %s', (_, peer, trusted) => {
  expect(addressOf(peer, '198.51.100.7', trusted)).toBe(peer);
  expect(addressOf(peer, '10.0.0.1, 198.51.100.7, 10.0.0.2', trusted)).toBe(peer);
});

const PROXIES = ['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48'];

test.each([
  ['the one hop', '198.51.100.7', '198.51.100.7'],
  ['not what the client wrote left of it', '1.1.1.1, 8.8.8.8, 198.51.100.7', '198.51.100.7'],
  ['not a proxy’s address that the client wrote left of it', '10.0.0.9, 198.51.100.7', '198.51.100.7'],
  ['past our own proxies', '1.1.1.1, 198.51.100.7, 192.0.2.1, 10.3.2.1', '198.51.100.7'],
  ['past our own proxies in IPv6', '198.51.100.7,2001:db8:ffff:1::2', '198.51.100.7'],
  ['garbage left of it is never reached', 'garbage, 198.51.100.7', '198.51.100.7'],
  ['without the port', '198.51.100.7:50123', '198.51.100.7'],
  ['without brackets and port', '[2001:db8:1:2::5]:443', '2001:db8:1:2::/64'],
  ['a mapped address as IPv4', '::ffff:198.51.100.7', '198.51.100.7'],
  ['a /64 for IPv6', '2001:db8:1:2::5', '2001:db8:1:2::/64'],
])(
  'behind trusted proxies a request counts for the rightmost address that is no trusted proxy: %s',
  (_, forwarded, expected) => {
    for (const peer of ['10.0.0.1', '::ffff:10.0.0.1', '192.0.2.1', '2001:db8:ffff::1']) {
      expect(addressOf(peer, forwarded, PROXIES)).toBe(expected);
    }
  },
);

test.each([
  '',
  ' ',
  ',',
  'unknown',
  '_hidden',
  '198.51.100.7,',
  '198.51.100.7, x',
  '198.51.100.7, 999.1.1.1',
  '198.51.100.7, 1',
  '198.51.100.7, 010.0.0.1',
  '198.51.100.7, 0x7f.1',
  '198.51.100.7, 10.0.0.0/8',
  '198.51.100.7, 1.2.3.4.5',
  '10.0.0.2',
  '10.0.0.3, 10.0.0.2',
  `${'1'.repeat(10_000)}`,
])('an X-Forwarded-For that is unreadable or names only proxies counts for the proxy: %j', (forwarded) => {
  expect(addressOf('10.0.0.1', forwarded, PROXIES)).toBe('10.0.0.1');
});

test.each([['10.0.0.0/8'], ['10.0.0.1'], ['::ffff:10.0.0.1'], ['::ffff:10.0.0.0/104'], ['0.0.0.0/0']])(
  'a proxy is trusted however its range is written: %s',
  (range) => {
    expect(addressOf('10.0.0.1', '2001:db8::1', [range])).toBe('2001:db8:0:0::/64');
    expect(addressOf('::ffff:10.0.0.1', '2001:db8::1', [range])).toBe('2001:db8:0:0::/64');
  },
);

test('headers sent twice are one list, the last one nearest', () => {
  const req = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': ['1.1.1.1', '198.51.100.7'] } };
  expect(createClientAddress(PROXIES)(req as unknown as IncomingMessage)).toBe('198.51.100.7');
});

/** The exact address of such a request. */
const ipOf = (peer: string | undefined, forwarded?: string) =>
  createClientIp(PROXIES)({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

test.each([
  ['2001:db8:1:2::5', undefined, '2001:db8:1:2::5'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.8, 2001:db8:1:2::5, 192.0.2.1', '2001:db8:1:2::5'],
  ['10.0.0.1', '[2001:db8:1:2::5]:443', '2001:db8:1:2::5'],
  ['10.0.0.1', 'garbage', '10.0.0.1'],
  [undefined, '198.51.100.7', null],
])('for a list of addresses a connection from %s with %s comes from %s', (peer, forwarded, expected) => {
  expect(ipOf(peer, forwarded)).toBe(expected);
});
