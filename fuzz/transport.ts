import fc from 'fast-check';
import type { FuzzRequest } from './fuzz-request.ts';
import { hostileText, hostileUrlPart, urlEncoded } from './hostile-values.ts';

type Change = (request: FuzzRequest) => FuzzRequest;

/** Longer than a line of a request may be (8 KiB), shorter than its whole head may be. */
const LONG_TARGET = 9_000;
/** Longer than a body may be (64 KiB). */
const LARGE_BODY = 70_000;
const DEEP_BODY = 30_000;

const header =
  (name: string, value: string): Change =>
  (request) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
const without =
  (name: string): Change =>
  (request) => {
    const { [name]: _, ...headers } = request.headers;
    return { ...request, headers };
  };
const body =
  (text: string, encoding?: 'latin1'): Change =>
  (request) => ({
    ...request,
    body: text,
    ...(encoding && { encoding }),
    headers: { 'content-type': 'application/json', ...request.headers },
  });
const query =
  (text: string): Change =>
  (request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${text}`,
  });
const path =
  (change: (path: string) => string): Change =>
  (request) => {
    const [before = '', ...rest] = request.target.split('?');
    return { ...request, target: [change(before), ...rest].join('?') };
  };

/** A text as a header can hold it: characters that can't be sent are left out. */
const headerText = hostileText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 4_000));

/**
 * An error in the way in which a request is sent. A path stays one of the API's: others are those
 * of the pages.
 */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND').map(
    (method): Change =>
      (request) => ({ ...request, method }),
  ),
  fc
    .constantFrom('/', '//', '/x', '%2f', '%00', ';x', '.json', '%', '/..', '/%2e%2e', '\\', '%20', '/null', ',x', ':')
    .map((suffix) => path((before) => before + suffix)),
  fc.constant(path((before) => before.toUpperCase().replace(/^\/API/, '/api'))),
  // Not empty: `/` would be a page.
  hostileUrlPart.map((part) => path((before) => before.replace(/[^/]*$/, () => part || 'x'))),
  fc
    .constantFrom('__proto__=1', '__proto__[x]=1', 'constructor=x', 'a[]=1&a[]=2', '=&=&&', '%ff=%ff', '%=1', 'a=%00')
    .map(query),
  fc.constant(query(`a=${'x'.repeat(LONG_TARGET)}`)),
  fc.constant(query('x=1&'.repeat(1_500))),
  hostileText.map((text) => query(`${urlEncoded(text)}=${urlEncoded(text)}`)),
  fc
    .constantFrom(
      ...['x-api-key', 'cookie', 'idempotency-key', 'content-type', 'content-encoding', 'accept', 'accept-language'],
      ...[
        'accept-encoding',
        'origin',
        'sec-fetch-site',
        'user-agent',
        'referer',
        'x-forwarded-for',
        'forwarded',
        'range',
      ],
      ...['x-http-method-override', 'if-none-match', 'if-modified-since', 'trpc-accept', 'x-request-id', 'rsc', 'via'],
    )
    .chain((name) => headerText.map((text) => header(name, text))),
  fc
    .constantFrom<[string, string]>(
      ['content-type', 'text/plain'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['content-type', 'multipart/form-data; boundary=x'],
      ['content-type', 'application/json; charset=utf-16'],
      ['content-type', 'application/json;;;'],
      ['content-encoding', 'gzip'],
      ['accept', 'text/html'],
      ['accept', 'application/xml;q=0.9, */*;q=0'],
      ['trpc-accept', 'application/jsonl'],
      ['accept-language', `${'pt,'.repeat(1_000)}en;q=x`],
      ['expect', '200-ok'],
      ['range', 'bytes=0-0,-1'],
      ['x-forwarded-for', '1.1.1.1, ::1, unknown, [::1]:80, 999.1.1.1'],
      ['idempotency-key', 'x'.repeat(256)],
      ['idempotency-key', 'sempre-a-mesma'],
    )
    .map(([name, value]) => header(name, value)),
  fc.constantFrom('x-api-key', 'cookie', 'content-type', 'origin').map(without),
  fc
    .constantFrom(
      ...['', '[]', 'null', '"x"', '1', '{', '{}', '{}{}', '{"a":1', '[{}]', '\ufeff{}', '{"a":1,}', "{'a':1}", 'a=1'],
      ...['\0', '{"a":\0}', '{"a":"\n"}', '{"json":{}}', '{"0":{}}', '<a/>', 'NaN', '{"__proto__":null}', '{"":""}'],
      ...[`${'['.repeat(DEEP_BODY)}`, `${'{"a":'.repeat(DEEP_BODY / 5)}`, `{"a":"${'x'.repeat(LARGE_BODY)}"}`],
    )
    .map((text) => body(text)),
  fc
    .constantFrom('\xff\xfe{\0}\0', '{"a":"\xff"}', '{"a":"\xc0\x80"}', '{"a":"\xed\xa0\x80"}')
    .map((text) => body(text, 'latin1')),
  fc.nat({ max: 200 }).map(
    (length): Change =>
      (request) =>
        request.body === null ? request : { ...request, body: request.body.slice(0, length) },
  ),
  fc.integer({ min: 1, max: 1_000 }).map(
    (missingBytes): Change =>
      (request) =>
        request.body === null ? request : { ...request, missingBytes },
  ),
);

/** Requests with an error in the way in which they are sent. */
export const overBrokenTransport = (valid: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> =>
  fc.tuple(valid, change).map(([request, apply]) => ({ ...apply(request), kind: 'transport' as const }));
