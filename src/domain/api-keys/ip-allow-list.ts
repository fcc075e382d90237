import ipaddr from 'ipaddr.js';

/**
 * The addresses and ranges (CIDR) that an API key may come from. Kept in one spelling, so that what
 * is shown is what is checked: host bits are dropped, IPv6 is written as RFC 5952 says, an IPv4
 * address inside IPv6 (`::ffff:0:0/96`) is that IPv4 address.
 */

/** A system has a few servers, or one range; a longer list is read through on every request. */
export const IP_RANGES_MAX = 20;

/**
 * No address or range is longer in any spelling that is taken (IPv6 with an IPv4 tail and /128 has
 * 49).
 */
export const IP_RANGE_LENGTH_MAX = 64;

const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** Where the IPv6 range of IPv4-mapped addresses begins (RFC 4291 section 2.5.5.2). */
const MAPPED_BITS = IPV6_BITS - IPV4_BITS;
const PREFIX_LENGTH = /^(0|[1-9]\d{0,2})$/;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, bits: number];

/**
 * Returns an address or a range as it is stored; `null` for any other text, and for a range of all
 * addresses, which would exclude none.
 */
export function parseIpRange(text: string): string | null {
  const range = readRange(text.trim());
  if (!range) return null;
  const [network, bits] = range;
  if (bits === 0) return null;
  const isOne = bits === (network instanceof ipaddr.IPv4 ? IPV4_BITS : IPV6_BITS);
  return isOne ? written(network) : `${written(network)}/${bits}`;
}

/**
 * Returns whether an address is in a list of parseIpRange's texts. An empty list allows every
 * address; an unknown address (`null`) is in no other list.
 */
export function isInAllowList(ranges: readonly string[], address: string | null): boolean {
  if (ranges.length === 0) return true;
  const from = address === null ? null : readAddress(address);
  return from !== null && ranges.some((text) => contains(readRange(text), from));
}

const contains = (range: Range | null, address: Address): boolean =>
  range !== null && range[0].kind() === address.kind() && address.match(range[0], range[1]);

function readRange(text: string): Range | null {
  if (text.length > IP_RANGE_LENGTH_MAX) return null;
  const [addressText = '', bitsText, more] = text.split('/');
  if (more !== undefined) return null;
  const given = parseAddress(addressText);
  if (!given) return null;
  const bitsMax = given instanceof ipaddr.IPv4 ? IPV4_BITS : IPV6_BITS;
  if (bitsText !== undefined && !PREFIX_LENGTH.test(bitsText)) return null;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  if (bits > bitsMax) return null;
  if (!(given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress())) return [networkOf(given, bits), bits];
  // A range wider than the mapped one contains other IPv6 addresses too, which is never intended.
  return bits < MAPPED_BITS ? null : [networkOf(given.toIPv4Address(), bits - MAPPED_BITS), bits - MAPPED_BITS];
}

/** An address that a connection came from; mapped IPv4 is IPv4. */
function readAddress(text: string): Address | null {
  const address = parseAddress(text.replace(/%.*$/, ''));
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Returns `null` for spellings that ipaddr.js accepts and others read differently (`1`,
 * `010.0.0.1`), and for an address with a zone (`%eth0`), which is valid on one machine only.
 */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
}

/** The first address of the range that an address is in. */
function networkOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8);
    return byte & (0xff << (8 - kept));
  });
  return ipaddr.fromByteArray(bytes);
}

const written = (address: Address): string =>
  address instanceof ipaddr.IPv4 ? address.toString() : address.toRFC5952String();
