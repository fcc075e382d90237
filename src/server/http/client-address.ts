import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Stands for the address of a connection that is closed already. */
const NO_ADDRESS = 'unknown';
/** A site is given a /64 at least (RFC 6177): a client with one address of it has them all. */
const IPV6_SITE_GROUPS = 4;
/**
 * Where the IPv6 range of IPv4-mapped addresses begins, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2).
 */
const MAPPED_BITS = 96;

/**
 * Returns the address that a request counts for: that of its connection or, when that is one of the
 * trusted proxies (addresses or CIDR ranges), the rightmost address of X-Forwarded-For that is none
 * of them: anything further left is what the client claims. An IPv6 address counts as its /64
 * (`2001:db8:1:2::/64`), a mapped IPv4 address is that IPv4 address. What can't be read counts for
 * the connection.
 */
export function createClientAddress(trustedProxies: string[]): (req: IncomingMessage) => string {
  const clientOf = createClientOf(trustedProxies);
  return (req) => {
    const address = clientOf(req);
    return address ? toSite(address) : NO_ADDRESS;
  };
}

/**
 * Returns the exact address of a request, by the same rules: for lists of addresses. Null for a
 * connection that is closed already.
 */
export function createClientIp(trustedProxies: string[]): (req: IncomingMessage) => string | null {
  const clientOf = createClientOf(trustedProxies);
  return (req) => clientOf(req)?.toString() ?? null;
}

/**
 * Returns the address that a connection counts for, before its first request: as above, null for a
 * trusted proxy, which has many clients.
 */
export function createPeerAddress(
  trustedProxies: string[],
): (socket: { remoteAddress?: string | undefined }) => string | null {
  const isTrusted = createIsTrusted(trustedProxies);
  return ({ remoteAddress }) => {
    const peer = toAddress(remoteAddress ?? '');
    if (!peer) return NO_ADDRESS;
    return isTrusted(peer) ? null : toSite(peer);
  };
}

function createIsTrusted(trustedProxies: string[]): (address: Address) => boolean {
  const ranges = trustedProxies.map(toRange);
  return (address) =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function createClientOf(trustedProxies: string[]): (req: IncomingMessage) => Address | null {
  const isTrusted = createIsTrusted(trustedProxies);
  return (req) => {
    const peer = toAddress(req.socket.remoteAddress ?? '');
    if (!peer) return null;
    const forwarded = req.headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return peer;
    // Node joins repeated headers in the order in which they came.
    const hops = String(forwarded).split(',').reverse();
    for (const hop of hops) {
      const address = toAddress(withoutPort(hop.trim()));
      if (!address) break;
      if (!isTrusted(address)) return address;
    }
    return peer;
  };
}

/** Strict first: ipaddr.js takes `1`, `010.0.0.1` and the like for addresses. */
const toAddress = (text: string): Address | null => (isIP(text) ? ipaddr.process(text) : null);

/** Some proxies write the client's port too: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
const withoutPort = (text: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text;

function toSite(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, IPV6_SITE_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

function toRange(text: string): Range {
  const [network, bits] = ipaddr.parseCIDR(
    text.includes('/') ? text : `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`,
  );
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [network.toIPv4Address(), bits - MAPPED_BITS]
    : [network, bits];
}
