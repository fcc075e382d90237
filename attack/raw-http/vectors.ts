import { lines } from './raw-socket.ts';

/** A request that the attacker wants to be read as a second one. */
const SMUGGLED = lines('GET /healthz HTTP/1.1', 'host: x');
const BODY = '{"amount":10}';

/** Requests that two parsers would read differently: each may get nothing but its rejection. */
export function smugglingVectors(apiKey: string): { name: string; bytes: string }[] {
  const vectors: { name: string; bytes: string }[] = [];
  const targets = [
    '/payments/transactions',
    '/api/payments/transactions',
    '/api/trpc/test/charges.create',
    '/api/auth/sign-in/email',
    '/inbound/pix/sandbox/x/pix',
    '/healthz',
    '/',
  ];
  for (const path of targets) {
    const post = (body: string, ...headers: string[]) =>
      lines(`POST ${path} HTTP/1.1`, 'host: x', `x-api-key: ${apiKey}`, 'content-type: application/json', ...headers) +
      body;
    const add = (name: string, bytes: string) => vectors.push({ name: `${name} to ${path}`, bytes });
    const chunked = 'transfer-encoding: chunked';
    add('a length and chunks', post(`0\r\n\r\n${SMUGGLED}`, `content-length: ${SMUGGLED.length + 5}`, chunked));
    add('chunks and a length', post(`0\r\n\r\n${SMUGGLED}`, chunked, 'content-length: 5'));
    add('two lengths', post(BODY, 'content-length: 13', 'content-length: 0'));
    add('two equal lengths', post(BODY, 'content-length: 13', 'content-length: 14'));
    add('lengths in a list', post(BODY, 'content-length: 13, 0'));
    for (const length of ['+13', '0xd', '-13', '1e1', '1 3', '٣', '99999999999999999999'])
      add(`the length ${length}`, post(BODY, `content-length: ${length}`));
    for (const coding of ['xchunked', 'chunked, identity', 'chunked;q=1', '"chunked"', 'chunk\x0bed', 'chunkéd'])
      add(`the coding ${JSON.stringify(coding)}`, post(`0\r\n\r\n${SMUGGLED}`, `transfer-encoding: ${coding}`));
    add('a blank behind a name', post(`0\r\n\r\n${SMUGGLED}`, 'transfer-encoding : chunked'));
    add('a blank before a name', post(BODY, ' content-length: 13'));
    add('a NUL in a header', post(BODY, 'x: a\0b', 'content-length: 13'));
    add('a carriage return alone', post(BODY, 'x: a\ry: b', 'content-length: 13'));
    add('line feeds alone', post(BODY, 'content-length: 13').replaceAll('\r\n', '\n'));
    add('a header without a name', post(BODY, ': x', 'content-length: 13'));
    add('a chunk that is none', post(`zz\r\n${BODY}\r\n0\r\n\r\n`, chunked));
    add('a chunk longer than it says', post(`5\r\n${BODY}\r\n0\r\n\r\n`, chunked));
    add('a chunk with a sign', post(`+d\r\n${BODY}\r\n0\r\n\r\n`, chunked));
    add('a chunk of endless length', post(`${'f'.repeat(20)}\r\n${BODY}\r\n`, chunked));
    add('headers of 64 KiB', post(BODY, `x: ${'a'.repeat(65_536)}`));
    add('two Hosts', post(BODY, 'host: y', 'content-length: 13'));
    add('a blank in the path', post(BODY).replace(path, `${path} x`));
    add('no version', post(BODY).replace('HTTP/1.1', 'HTTP/9.9'));
  }
  return vectors;
}

/** Invalid hosts: they could carry a path, a login or a line break into what is made from them. */
export const ODD_HOSTS = [
  'a/b',
  'a/../b',
  'a?b',
  'a#b',
  'user@a',
  'a b',
  'a\\b',
  '[::1',
  ']',
  'a:b',

  'a:80:80',
  'a,b',
  'a%2fb',
  "a'b",
  'a"b',
  '<b>',
  '',
  'localhost/api/auth/sign-up/email?x=',
];

/** Paths that could bypass a handler or reach a file. */
export const PATH_TRICKS = [
  '//payments/balance',
  '/payments//balance',
  '/./payments/balance',
  '/x/../payments/balance',
  '/payments/balance/',
  '/payments/balance;x',
  '/payments%2fbalance',
  '/payments/balance%00',
  '/payments/balance%20',
  '/PAYMENTS/BALANCE',
  '/payments/transactions/..%2f..%2fmetrics/status',
  '/payments/transactions/%c0%ae%c0%ae/status',
  '/payments/transactions/%E0%80%AF/status',
  '/payments/transactions/.%2e/status',
  '/api/api/payments/balance',
  '/api/trpc/../payments/balance',
  '/_next/../package.json',
  '/_next/static/..%2f..%2f..%2fpackage.json',
  '/docs/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..\\..\\etc\\passwd',
  '/static/....//....//etc/passwd',
  '/.env',
  '/.git/config',
  '/.trilho/master-keys',
  '/master-keys',
  '/prisma/schema.prisma',
  '/export/test/..%2f..%2fmaster-keys',
  '/download/test/..%2fkyc',
  '/upload/test/%2e%2e',
  '/inbound/pix/../../payments/balance',
  '/inbound/pix/sandbox/%2e%2e/pix',
  '/sandbox/../payments/balance',
  '/sandbox/control/../control/pay',
  '/metrics/../payments/balance',
  'payments/balance',
  '*',
  'http://evil.example/payments/balance',
  'http:///payments/balance',
] as const;

/** Bodies that JSON parsers read differently, or that are no object of the contract. */
export const ODD_BODIES: { name: string; body: string | Buffer; type?: string }[] = [
  { name: 'a key twice', body: '{"amount":10,"amount":1}' },
  { name: 'a key twice, once escaped', body: '{"amount":10,"\\u0061mount":1}' },
  { name: 'a key twice, deep inside', body: '{"amount":10,"x":[{"a":{"b":1,"b":2}}]}' },
  { name: 'a list', body: '[{"amount":10}]' },
  { name: 'a text', body: '"amount"' },
  { name: 'null', body: 'null' },
  { name: 'nothing closed', body: '{"amount":10' },
  { name: 'a comma too many', body: '{"amount":10,}' },
  { name: 'a comment', body: '{"amount":10/* x */}' },
  { name: 'single quotes', body: "{'amount':10}" },
  { name: 'two documents', body: '{"amount":10}{"amount":10}' },
  { name: 'NaN', body: '{"amount":NaN}' },
  { name: 'Infinity', body: '{"amount":Infinity}' },
  { name: 'a number beyond all', body: '{"amount":1e400}' },
  { name: 'a negative zero', body: '{"amount":-0}' },
  { name: 'a third decimal', body: '{"amount":10.005}' },
  { name: 'a number as text', body: '{"amount":"10"}' },
  { name: 'a list for a number', body: '{"amount":[10]}' },
  { name: 'an object for a number', body: '{"amount":{"valueOf":10}}' },
  { name: 'an amount on __proto__', body: '{"__proto__":{"amount":10,"polluted":true}}' },
  { name: 'an amount on constructor.prototype', body: '{"constructor":{"prototype":{"amount":10,"polluted":true}}}' },
  { name: 'a NUL in a text', body: '{"amount":10,"description":"a\\u0000b"}' },
  { name: 'a lone surrogate', body: '{"amount":10,"description":"\\ud800"}' },
  { name: 'ten thousand lists', body: `{"amount":10,"x":${'['.repeat(10_000)}${']'.repeat(9_999)}}` },
  { name: 'a body above 64 KiB', body: `{"amount":10,"x":"${'a'.repeat(65_536)}"}` },
  { name: 'UTF-16', body: Buffer.from('{"amount":10}', 'utf16le'), type: 'application/json; charset=utf-16' },
  { name: 'a form', body: 'amount=10', type: 'application/x-www-form-urlencoded' },
  {
    name: 'a form of parts',
    body: '--x\r\ncontent-disposition: form-data; name="amount"\r\n\r\n10\r\n--x--',
    type: 'multipart/form-data; boundary=x',
  },
  { name: 'plain text', body: '{"amount":10}', type: 'text/plain' },
  { name: 'XML', body: '<amount>10</amount>', type: 'application/xml' },
  { name: 'another JSON', body: '{"amount":10}', type: 'application/jsonp' },
  {
    name: 'broken UTF-8',
    body: Buffer.concat([Buffer.from('{"amount":10,"description":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  },
];
