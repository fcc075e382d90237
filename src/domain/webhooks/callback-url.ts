import ipaddr from 'ipaddr.js';
import type { IssueCode } from '../errors/issues.ts';

/**
 * Where a webhook may go. A merchant's URL makes this server send a request, so it must never point
 * inside (SSRF): it is checked when it is given (parseCallbackUrl) and again for every address it
 * resolves to (addressAllowed, on the connection itself, because a name may resolve to something
 * else later).
 */

/** `allowHttpAndLoopback` is only for test accounts of an installation in demo mode. */
export type UrlPolicy = { allowHttpAndLoopback: boolean };

/** Why a webhook may not go to a URL. */
export type CallbackUrlIssue = Extract<
  IssueCode,
  'url_incomplete' | 'url_not_https' | 'url_with_credentials' | 'url_port' | 'url_inside_network'
>;

/** The length that proxies and servers commonly accept in a request line. */
export const URL_LENGTH_MAX = 2048;

/** RFC 1035 2.3.4. */
const HOST_LENGTH_MAX = 253;
const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;

/**
 * The parser drops or converts these silently, so the stored URL would not be the one that was
 * sent.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters
const SILENTLY_CHANGED = /[\u0000-\u0020\u007f\\]/;

/** Ports below 1024 belong to other services, except HTTP's own. */
const HTTP_PORTS = new Set([80, 443]);
const UNPRIVILEGED_PORT_MIN = 1024;

/** Services above 1024 that take an HTTP request for a command, or that serve no webhooks. */
const OTHER_SERVICES_PORTS = new Set([
  1080, 1433, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4222,
  4369, 5060, 5061, 5432, 5671, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 7000, 7001, 7199, 8500, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 27017, 27018,
  27019, 28015,
]);

/**
 * Suffixes that have a meaning only inside a network (RFC 6761, 6762, 8375; `internal` by ICANN
 * 2024; the rest by custom).
 */
const INSIDE_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'home.arpa',
];

/**
 * Cloud metadata under names that look public; most others end in `.internal` or have one label.
 */
const METADATA_NAMES = new Set(['metadata.goog', 'metadata.tencentyun.com']);

/**
 * Cloud metadata and host agents: AWS (instance, containers, pods), Google, Azure, Alibaba, Oracle,
 * Tencent. Most lie in ranges that are rejected anyway; the list ensures that no policy ever opens
 * them, and has Azure's, which looks like any other.
 */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

/** All the IPv6 that is routed on the Internet lies here; what is outside is reserved. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * `::1.2.3.4` (RFC 4291 2.5.5.1, deprecated), which ipaddr.js takes for a mapped address although
 * it goes elsewhere.
 */
const COMPATIBLE_IPV6 = /^(?!::ffff:).*:.*\./i;

/** ISATAP (RFC 5214 6.1) writes an IPv4 address into any prefix, after this in the interface id. */
const ISATAP_PARTS = { high: new Set([0x0000, 0x0200]), low: 0x5efe };

/**
 * Returns the URL when a webhook may be sent to it, else the first rule that it breaks. Literal
 * addresses are judged in every spelling, for the parser writes `2130706433`, `0x7f.1` and
 * `①②⑦.0.0.1` all as 127.0.0.1. Names are not resolved here.
 */
export function parseCallbackUrl(
  text: string,
  policy: UrlPolicy,
): { ok: true; url: URL } | { ok: false; reason: CallbackUrlIssue } {
  if (text.length > URL_LENGTH_MAX || SILENTLY_CHANGED.test(text)) return { ok: false, reason: 'url_incomplete' };
  const url = URL.parse(text);
  if (url === null || url.href.length > URL_LENGTH_MAX) return { ok: false, reason: 'url_incomplete' };
  const reason = issueOf(url, policy);
  return reason === null ? { ok: true, url } : { ok: false, reason };
}

/**
 * Returns whether a connection to this resolved address (dotted IPv4 or IPv6 text) may be opened.
 * Only global unicast may; loopback where the policy allows it; metadata never. IPv4 inside IPv6 is
 * unwrapped when mapped, and rejected in every other form.
 */
export function addressAllowed(address: string, policy: UrlPolicy): boolean {
  const canonical = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!canonical || address.includes('%') || COMPATIBLE_IPV6.test(address)) return false;
  const ip = ipaddr.process(address);
  if (METADATA_ADDRESSES.has(ip.toString())) return false;
  const range = ip.range();
  if (range === 'loopback') return policy.allowHttpAndLoopback;
  if (range !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || (ip.match(GLOBAL_IPV6) && !isIsatap(ip));
}

function issueOf(url: URL, policy: UrlPolicy): CallbackUrlIssue | null {
  const httpAllowed = policy.allowHttpAndLoopback && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !httpAllowed) return 'url_not_https';
  if (url.username !== '' || url.password !== '') return 'url_with_credentials';
  if (!portAllowed(url.port)) return 'url_port';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return addressAllowed(host, policy) ? null : 'url_inside_network';
  // A trailing point is legal DNS, but it is only ever used to slip past lists of names.
  if (host.endsWith('.')) return 'url_inside_network';
  if (host.length > HOST_LENGTH_MAX || !host.split('.').every((label) => HOST_LABEL.test(label)))
    return 'url_incomplete';
  return nameAllowed(host, policy) ? null : 'url_inside_network';
}

/** `port` is empty for the scheme's own port, as the URL parser leaves it. */
function portAllowed(port: string): boolean {
  if (port === '') return true;
  const number = Number(port);
  if (HTTP_PORTS.has(number)) return true;
  return number >= UNPRIVILEGED_PORT_MIN && !OTHER_SERVICES_PORTS.has(number);
}

function nameAllowed(name: string, policy: UrlPolicy): boolean {
  if (name === 'localhost') return policy.allowHttpAndLoopback;
  if (!name.includes('.') || METADATA_NAMES.has(name)) return false;
  return !INSIDE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

function isIsatap(ip: ipaddr.IPv6): boolean {
  const [, , , , high = -1, low = -1] = ip.parts;
  return ISATAP_PARTS.high.has(high) && low === ISATAP_PARTS.low;
}
