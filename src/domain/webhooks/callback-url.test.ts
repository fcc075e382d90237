import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressAllowed, parseCallbackUrl, URL_LENGTH_MAX } from './callback-url.ts';

const strict = { allowHttpAndLoopback: false };
const demo = { allowHttpAndLoopback: true };

const reasonOf = (text: string, policy = strict) => {
  const result = parseCallbackUrl(text, policy);
  return result.ok ? null : result.reason;
};

// ASVS 1.2.2
describe('a public https URL', () => {
  test.each([
    'https://example.com/hooks?account=1',
    'https://shop.example.com.br:8443/a',
    'https://example.com:443',
    'https://example.com:80',
    'https://a_b.example.com/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://loja-do-zé.com.br/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://notlocal.example/',
  ])('%s is taken', (text) => {
    for (const policy of [strict, demo]) {
      expect(parseCallbackUrl(text, policy)).toEqual({ ok: true, url: new URL(text) });
    }
  });
});

// ASVS 13.2.5
describe('no policy lets a callback go to', () => {
  test.each([
    ['', 'url_incomplete'],
    ['example.com/hook', 'url_incomplete'],
    ['/hook', 'url_incomplete'],
    ['https://', 'url_incomplete'],
    ['https://exa mple.com', 'url_incomplete'],
    [' https://example.com', 'url_incomplete'],
    ['https://example.com\n', 'url_incomplete'],
    ['https://exa\tmple.com', 'url_incomplete'],
    ['https://example.com/\u0000', 'url_incomplete'],
    ['https://example.com\\@10.0.0.1/', 'url_incomplete'],
    ['https://.example.com', 'url_incomplete'],
    ['https://a..example.com', 'url_incomplete'],
    ["https://exa'mple.com", 'url_incomplete'],
    ['https://1.2.3.4.5', 'url_incomplete'],
    [`https://${'a.'.repeat(130)}com`, 'url_incomplete'],
    ['file:///etc/passwd', 'url_not_https'],
    ['gopher://example.com/', 'url_not_https'],
    ['ftp://example.com/', 'url_not_https'],
    ['javascript:alert(1)', 'url_not_https'],
    ['data:text/plain,x', 'url_not_https'],
    ['ws://example.com/', 'url_not_https'],
    ['blob:https://example.com/x', 'url_not_https'],
    ['https://u:p@example.com', 'url_with_credentials'],
    ['https://u@example.com', 'url_with_credentials'],
    ['https://:p@example.com', 'url_with_credentials'],
    ['https://example.com@10.0.0.1', 'url_with_credentials'],
    ['https://example.com:22', 'url_port'],
    ['https://example.com:25', 'url_port'],
    ['https://example.com:0', 'url_port'],
    ['https://example.com:1', 'url_port'],
    ['https://example.com:1023', 'url_port'],
    ['https://example.com:5432', 'url_port'],
    ['https://example.com:3306', 'url_port'],
    ['https://example.com:6379', 'url_port'],
    ['https://example.com:27017', 'url_port'],
    ['https://example.com:11211', 'url_port'],
    ['https://example.com:9200', 'url_port'],
    ['https://example.com:2375', 'url_port'],
    ['https://example.com:5672', 'url_port'],
    ['https://0.0.0.0', 'url_inside_network'],
    ['https://0/', 'url_inside_network'],
    ['https://[::]', 'url_inside_network'],
    ['https://10.0.0.1', 'url_inside_network'],
    ['https://172.16.0.1', 'url_inside_network'],
    ['https://192.168.0.1', 'url_inside_network'],
    ['https://100.64.0.1', 'url_inside_network'],
    ['https://169.254.169.254/latest/meta-data/', 'url_inside_network'],
    ['https://2852039166/', 'url_inside_network'],
    ['https://0xa9.0xfe.0xa9.0xfe/', 'url_inside_network'],
    ['https://0251.0376.0251.0376/', 'url_inside_network'],
    ['https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/', 'url_inside_network'],
    ['https://169.254.169.254./', 'url_inside_network'],
    ['https://[::ffff:a9fe:a9fe]/', 'url_inside_network'],
    ['https://[fd00:ec2::254]/', 'url_inside_network'],
    ['https://[64:ff9b::7f00:1]', 'url_inside_network'],
    ['https://[2002:7f00:1::]', 'url_inside_network'],
    ['https://[fe80::1]', 'url_inside_network'],
    ['https://[::8.8.8.8]', 'url_inside_network'],
    ['https://localhost.', 'url_inside_network'],
    ['https://example.com.', 'url_inside_network'],
    ['https://shop.localhost', 'url_inside_network'],
    ['https://printer.local', 'url_inside_network'],
    ['https://printer.LOCAL', 'url_inside_network'],
    ['https://db.internal', 'url_inside_network'],
    ['https://router.home.arpa', 'url_inside_network'],
    ['https://home.arpa', 'url_inside_network'],
    ['https://nas.lan', 'url_inside_network'],
    ['https://intranet', 'url_inside_network'],
    ['https://postgres/', 'url_inside_network'],
    ['https://kubernetes.default.svc.cluster.local', 'url_inside_network'],
    ['https://metadata', 'url_inside_network'],
    ['https://metadata.google.internal/computeMetadata/v1/', 'url_inside_network'],
    ['https://metadata.google.internal./', 'url_inside_network'],
    ['https://metadata.goog/', 'url_inside_network'],
  ])('%j (%s)', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    expect(reasonOf(text, demo)).toBe(reason);
  });
});

describe('http and loopback', () => {
  const loopback = [
    'https://127.0.0.1:8080/hook',
    'https://127.255.255.254/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://①②⑦.0.0.1/',
    'https://127.0.0.1./',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost:8080/',
    'https://LOCALHOST/',
    'https://ｌocalhost/',
  ];

  test.each(loopback)('%s is for the demo only', (text) => {
    expect(reasonOf(text)).toBe('url_inside_network');
    expect(reasonOf(text, demo)).toBeNull();
    expect(reasonOf(text.replace('https', 'http'), demo)).toBeNull();
  });

  test('http is for the demo only', () => {
    expect(reasonOf('http://example.com/hook')).toBe('url_not_https');
    expect(reasonOf('http://example.com/hook', demo)).toBeNull();
  });

  test('the demo opens no private network, no port and no credentials', () => {
    expect(reasonOf('http://10.0.0.1', demo)).toBe('url_inside_network');
    expect(reasonOf('http://localhost:22', demo)).toBe('url_port');
    expect(reasonOf('http://u:p@localhost', demo)).toBe('url_with_credentials');
  });
});

test('a URL is as long as it may be, before and after the parser wrote it out', () => {
  const start = 'https://example.com/';
  expect(reasonOf(start + 'x'.repeat(URL_LENGTH_MAX - start.length))).toBeNull();
  expect(reasonOf(start + 'x'.repeat(URL_LENGTH_MAX - start.length + 1))).toBe('url_incomplete');
  expect(reasonOf(start + 'é'.repeat(1_000))).toBe('url_incomplete');
});

test('any text is judged, none throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.webUrl(),
        fc.string().map((s) => `https://${s}`),
      ),
      (text) => {
        const result = parseCallbackUrl(text, strict);
        if (result.ok) expect(result.url.protocol).toBe('https:');
      },
    ),
    { numRuns: 1_000 },
  );
});

describe('a resolved address', () => {
  test.each(['8.8.8.8', '200.160.2.3', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2804:14c::1'])(
    '%s is reached',
    (address) => {
      expect(addressAllowed(address, strict)).toBe(true);
      expect(addressAllowed(address, demo)).toBe(true);
    },
  );

  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s is for the demo only',
    (address) => {
      expect(addressAllowed(address, strict)).toBe(false);
      expect(addressAllowed(address, demo)).toBe(true);
    },
  );

  test.each([
    ['metadata', ['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '168.63.129.16']],
    ['metadata', ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'FD00:EC2:0:0::254', 'fd20:ce::254']],
    ['mapped metadata', ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:168.63.129.16', '::ffff:a83f:8110']],
    ['private', ['10.0.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255', 'fc00::1', 'fd12::1']],
    ['mapped private', ['::ffff:10.0.0.1', '::ffff:c0a8:101']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['link-local', ['169.254.1.1', 'fe80::1', 'febf::1', 'fec0::1']],
    ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
    ['reserved', ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '2001:db8::1', '3fff::1']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1']],
    ['6to4 and Teredo', ['2002:7f00:1::', '2002:a00:1::1', '2001:0:1::', '192.88.99.1']],
    ['IPv4-compatible', ['::8.8.8.8', '::808:808', '::127.0.0.1', '::7f00:1', '0:0:0:0:0:0:8.8.8.8']],
    ['IPv4-translated and ISATAP', ['::ffff:0:10.0.0.1', '2606:4700::5efe:a00:1', '2606:4700::200:5efe:a00:1']],
    ['IPv6 that is not routed', ['100::1', '100:0:0:1::1', '4000::1', '5f00::1', 'e000::1']],
    ['a zone', ['fe80::1%eth0', '::1%lo', '2606:4700::1%eth0']],
    [
      'no plain address',
      ['', 'localhost', '127.1', '0177.0.0.1', '2130706433', '8.8.8.8 ', '08.8.8.8', '[::1]', '8.8.8.8:80'],
    ],
  ])('of the kind "%s" is rejected whatever the policy', (_kind, addresses) => {
    for (const address of addresses) {
      expect([address, addressAllowed(address, strict)]).toEqual([address, false]);
      expect([address, addressAllowed(address, demo)]).toEqual([address, false]);
    }
  });

  test('inside the private networks is rejected, mapped or not', () => {
    const network = fc.constantFrom('10.$1.$2.$3', '172.20.$2.$3', '192.168.$2.$3', '169.254.$2.$3', '100.100.$2.$3');
    const byte = fc.nat(255);
    fc.assert(
      fc.property(network, byte, byte, byte, (pattern, a, b, c) => {
        const address = pattern.replace('$1', String(a)).replace('$2', String(b)).replace('$3', String(c));
        expect(addressAllowed(address, demo)).toBe(false);
        expect(addressAllowed(`::ffff:${address}`, demo)).toBe(false);
        expect(parseCallbackUrl(`https://${address}/`, demo).ok).toBe(false);
        expect(parseCallbackUrl(`https://[::ffff:${address}]/`, demo).ok).toBe(false);
      }),
    );
  });

  test('any text is judged, none throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(typeof addressAllowed(text, strict)).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
  });
});
