/** Addresses of the private network, and of machines that are not reachable from outside. */
const INSIDE = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];
const INSIDE_V6 = ['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '100::1'];
const NAMES = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'foo.localhost',
  'ip6-localhost',
  'metadata.google.internal',
  'intranet',
  'db',
  'router.local',
  'x.internal',
  'example.com.',
];

/** Every spelling of them that a URL parser may accept. */
export function insideHosts(): string[] {
  const hosts = [...NAMES, ...INSIDE_V6.map((address) => `[${address}]`)];
  for (const address of INSIDE) {
    const bytes = address.split('.').map(Number) as [number, number, number, number];
    const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const halves = `${hex.slice(0, 4)}:${hex.slice(4)}`;
    hosts.push(
      address,
      String(number),
      `0x${hex}`,
      bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
      bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
      `${bytes[0]}.${(bytes[1] << 16) | (bytes[2] << 8) | bytes[3]}`,
      `${address}.`,
      address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      `[::ffff:${address}]`,
      `[::ffff:${halves}]`,
      `[::${halves}]`,
      `[64:ff9b::${halves}]`,
      `[2002:${halves}::1]`,
    );
  }
  return hosts;
}

/** URLs that are not the address of a public web server, besides those of the hosts above. */
export const ODD_URLS = [
  'https://user:password@93.184.216.34/',
  'https://93.184.216.34:22/',
  'https://93.184.216.34:25/',
  'https://93.184.216.34:5432/',
  'https://93.184.216.34:6379/',
  'http://93.184.216.34/',
  'file:///etc/passwd',
  'gopher://93.184.216.34/',
  'ftp://93.184.216.34/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://93.184.216.34/',
  'https://93.184.216.34\\@127.0.0.1/',
  'https://127.0.0.1#@93.184.216.34/',
  'https://127.0.0.1\t/',
  'https://①②⑦.⓪.⓪.①/',
  'https:///127.0.0.1/',
  '//127.0.0.1/',
  '/hook',
  '',
  'https://',
];
