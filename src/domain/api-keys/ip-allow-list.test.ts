import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IP_RANGE_LENGTH_MAX, isInAllowList, parseIpRange } from './ip-allow-list.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7\n', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::1', '::1'],
])('%j is kept as %s', (text, kept) => {
  expect(parseIpRange(text)).toBe(kept);
  expect(parseIpRange(kept)).toBe(kept);
});

test.each([
  '',
  ' ',
  '203.0.113',
  '203.0.113.256',
  '010.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '203.0.113.7/',
  '203.0.113.7/33',
  '203.0.113.7/-1',
  '203.0.113.7/08',
  '203.0.113.7/2 4',
  '203.0.113.7/24/24',
  '203.0.113.7/255.255.255.0',
  '203.0.113.1-203.0.113.9',
  '203.0.113.7, 203.0.113.8',
  '203.0.113.7:443',
  '[2001:db8::1]',
  '2001:db8::1/129',
  '2001:db8::g',
  'fe80::1%eth0',
  '::ffff:0:0/95',
  'example.com',
  `${'2001:db8::1'.padEnd(IP_RANGE_LENGTH_MAX + 1, '0')}`,
])('%j is no address and no range', (text) => {
  expect(parseIpRange(text)).toBeNull();
});

test.each(['0.0.0.0/0', '::/0', '203.0.113.7/0', '::ffff:0.0.0.0/96'])('%s is every address, so no list', (text) => {
  expect(parseIpRange(text)).toBeNull();
});

describe('a list', () => {
  const list = ['203.0.113.7', '198.51.100.0/25', '2001:db8:1::/48'];

  test.each([
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '198.51.100.0',
    '198.51.100.127',
    '2001:db8:1::',
    '2001:db8:1:ffff::1',
  ])('lets in %s', (address) => expect(isInAllowList(list, address)).toBe(true));

  test.each(['203.0.113.8', '198.51.100.128', '198.51.99.255', '2001:db8:2::1', '::1', 'unknown', '', '203.0.113.7.1'])(
    'keeps out %s',
    (address) => expect(isInAllowList(list, address)).toBe(false),
  );

  test('that is empty lets everybody in; any other keeps out callers without an address', () => {
    expect(isInAllowList([], '203.0.113.7')).toBe(true);
    expect(isInAllowList([], null)).toBe(true);
    expect(isInAllowList(list, null)).toBe(false);
  });

  test('with an entry that can’t be read accepts no address because of it', () => {
    expect(isInAllowList(['nonsense'], '203.0.113.7')).toBe(false);
    expect(isInAllowList(['nonsense', '203.0.113.7'], '203.0.113.7')).toBe(true);
  });
});

test('the list agrees with Node’s own, whatever the range and the address', () => {
  const ipv4 = fc.ipV4();
  const ipv6 = fc.ipV6().filter((text) => isIP(text) === 6 && !text.includes('.'));
  const case4 = fc.record({ network: ipv4, bits: fc.integer({ min: 1, max: 32 }), address: ipv4, near: fc.boolean() });
  const case6 = fc.record({ network: ipv6, bits: fc.integer({ min: 1, max: 128 }), address: ipv6, near: fc.boolean() });
  fc.assert(
    fc.property(fc.oneof(case4, case6), ({ network, bits, address: other, near }) => {
      const kind = isIP(network) === 4 ? 'ipv4' : 'ipv6';
      const address = near ? network : other;
      const theirs = new BlockList();
      theirs.addSubnet(network, bits, kind);
      const ours = parseIpRange(`${network}/${bits}`);
      // Our parser turns a mapped range into IPv4, and returns null for a range of all addresses.
      fc.pre(ours !== null && (ours.includes(':') ? 'ipv6' : 'ipv4') === kind);
      expect(isInAllowList([ours ?? ''], address)).toBe(theirs.check(address, kind));
    }),
    { numRuns: 2_000 },
  );
});
