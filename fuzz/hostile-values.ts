import fc from 'fast-check';

/** With its percent signs, shorter than the line of a request that is rejected as a whole. */
const LONG_IN_PATH = 1_200;
/** Longer than every limit of a text, shorter than that of a body. */
const LONG_IN_BODY = 20_000;
/** Shorter than the limit of a body; deeper than the stack of a recursive parser or writer. */
const DEEP = 10_000;

/**
 * Texts that have caused failures: in parsers, in PostgreSQL, in terminals, in templates. None
 * looks like a leak (`leakPattern`), because stored texts are shown later. Addresses among them are
 * of this machine or of none, because an address that is saved as an endpoint is called.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '1,50',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x\ud800',
  '\ufeff',
  '\uffff',
  '\u202egnp.exe',
  '\u0085\u2028\u2029',
  '\x1b[31m',
  'e\u0301'.repeat(50),
  '𝕏🏦𐍈',
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(20),
  'İıſK',
  'a\r\nset-cookie: x=1',
  '\t\v\f',
  "'",
  '"',
  '\\',
  '%',
  '%00',
  '%s%n%x',
  '%ff%fe',
  "' OR '1'='1",
  '1; DROP TABLE transactions; --',
  '$1',
  '$$',
  '\\x00',
  '{a,"b}',
  '<script>alert(1)</script>',
  '<!doctype html>',
  '<img src=x onerror=alert(1)>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text that a template would run.
  '${7*7}{{7*7}}#{7*7}',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '/dev/null',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'https://[::1]:1/',
  'http://0x7f000001:1/',
  'javascript:alert(1)',
  'https://',
  'http://127.0.0.1:99999/',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '018f0000-0000-7000-8000-00000000000G',
  'evt_00000000000000000000000000000000',
  'a@b',
  '"a b"@example.com',
  `${'a'.repeat(65)}@example.com`,
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13',
  '2026-02-30',
  '2026-11-22T25:61:61Z',
  '1970-01-01T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '00000000000',
  '12345678909',
  '0x10',
  '１２３',
  '9007199254740993',
  '9223372036854775808',
  '-170141183460469231731687303715884105729',
  '0.1',
  '0.005',
  'A'.repeat(LONG_IN_PATH),
];

/** JSON values that are no strings: numbers at and beyond each limit, wrong types, nested ones. */
const HOSTILE_OTHERS: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '0.005',
  '0.07',
  '1.15',
  '1e-7',
  '1e21',
  '1e308',
  '1e400',
  '-1e400',
  '9007199254740991',
  '9007199254740993',
  '92233720368547758.07',
  '92233720368547758.08',
  '9223372036854775808',
  '100000000000000000000000000000000000000000',
  '0.30000000000000004',
  '10.00000000000000001',
  '999999.999999999999',
  '1e-2000',
  '2147483648',
  '[]',
  '[null]',
  '[[[[1]]]]',
  '{}',
  '{"a":{"b":[1,"2",null]}}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"valueOf":2,"toJSON":3}',
  '{"length":1e9}',
  '{"then":1}',
  `[${'"x",'.repeat(3_000)}"x"]`,
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP / 5)}1${'}'.repeat(DEEP / 5)}`,
  JSON.stringify('A'.repeat(LONG_IN_BODY)),
  JSON.stringify('😀'.repeat(LONG_IN_BODY / 4)),
  '"\\u0000"',
  '"\\ud83d"',
  // No JSON: the body as a whole is rejected.
  'NaN',
  'undefined',
  "'x'",
  '01',
  '+1',
  '.5',
  '"\n"',
  '"\\x"',
  '',
];

/** A text: one of those above, or any. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...HOSTILE_TEXTS), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 300 }), weight: 1 },
);

/** The JSON text of a value, or a text that is no JSON. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...HOSTILE_OTHERS), weight: 2 },
  { arbitrary: hostileText.map((text) => JSON.stringify(text)), weight: 3 },
  { arbitrary: fc.double().map((number) => JSON.stringify(number)), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)), weight: 1 },
);

/** Names of members that a prototype, or the service's own objects, have. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'then',
      'toJSON',
      '',
      '0',
      'a.b',
      'a[b]',
    ],
    ...['accountId', 'account_id', 'merchantId', 'role', 'mode', 'feeCentavos', 'status', 'id', '\0', '😀'],
  ),
  fc.string({ maxLength: 20 }),
);

/** A part of a path or query as it is sent: encoded correctly, or not. */
export const hostileUrlPart: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: hostileText.map(urlEncoded), weight: 4 },
  {
    arbitrary: fc.constantFrom(
      ...[
        '%',
        '%f',
        '%zz',
        '%ff',
        '%c0%af',
        '%c0%80',
        '%ed%a0%80',
        '%f5%80%80%80',
        '%u0041',
        '+',
        '%2B',
        '%2f',
        '%2e%2e',
      ],
      ...['..', '.', '%252e%252e', '%25', '%00', '%0d%0aset-cookie:x=1', 'a;b=c', ':', '@', '*', '~', "'"],
    ),
    weight: 1,
  },
);

/** Encodes a text as a browser does: a lone surrogate becomes U+FFFD. */
export function urlEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
