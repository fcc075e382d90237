import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import type { Member, Principal } from '#services/api-keys/principal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { pdfFile, pngFile } from '../../testing/uploaded-files.ts';
import { keepKycDocument, openKycDocument } from './kyc-files.ts';
import { sendUploadedFile } from './send-uploaded-file.ts';
import { createUploads } from './uploads.ts';

/**
 * The two handlers behind a server that authenticates everybody as one merchant; the real one has
 * tests of its own.
 */
let trilho: TestService;
let server: Server;
let url: string;
let merchantId: string;
let arrived = 0;
beforeAll(async () => {
  trilho = await startTestService();
  const upload = createUploads();
  const keep = keepKycDocument(trilho.deps);
  const read = openKycDocument(trilho.deps);
  server = createServer((req, res) => {
    arrived++;
    const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://server');
    const member = { memberId: null, merchantId } as unknown as Member;
    const visitor = { query, member, principal: {} as Principal, origin: { ipAddress: null, userAgent: null } };
    const handled = pathname === '/upload' ? upload(req, res, visitor, keep) : sendUploadedFile(res, visitor, read);
    handled.catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await trilho.stop();
});

async function newMerchant(): Promise<void> {
  merchantId = (await trilho.openAccount({ kycStatus: 'pending' })).merchantId;
}

async function send(query: string, body: Buffer | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/upload?${query}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

// ASVS 3.2.1, 5.3.1, 5.3.2, 5.4.1, 5.4.2
test('a document is what its bytes say, whatever name and type it is sent under, and comes back as it was', async () => {
  await newMerchant();
  const sent = await send('kind=identity&name=..%2F..%2Fcarteira%20de%20motorista%20%C3%A7.exe', pngFile(), {
    'content-type': 'text/html',
  });
  expect(sent).toMatchObject({
    status: 201,
    body: {
      kind: 'identity',
      file_name: 'carteira de motorista ç.exe',
      bytes: pngFile().length,
    },
  });
  const got = await fetch(`${url}/download?id=${sent.body.id}`);
  expect(got.status).toBe(200);
  expect(Buffer.from(await got.arrayBuffer())).toEqual(pngFile());
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="carteira de motorista c.exe"; filename*=UTF-8''carteira%20de%20motorista%20%C3%A7.exe`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
});

test.each([
  ['a kind that is not asked for', 'kind=passport', pdfFile(), 400, 'kind'],
  ['a page with scripts', 'kind=identity&name=rg.pdf', Buffer.from('<script>alert(1)</script>'), 400, 'unknown_type'],
  ['nothing', 'kind=identity', Buffer.alloc(0), 400, 'unknown_type'],
  ['half a PDF', 'kind=identity', pdfFile().subarray(0, 60), 400, 'damaged'],
  [
    'a PDF that acts',
    'kind=identity',
    pdfFile('4 0 obj << /S /JavaScript /JS (app.alert(1)) >> endobj'),
    400,
    'active',
  ],
  ['a PDF under a password', 'kind=identity', pdfFile('4 0 obj << /Encrypt 5 0 R >> endobj'), 400, 'locked'],
  ['a file that is too large', 'kind=identity', pngFile(FILE_BYTES_MAX), 413, 'too_large'],
] as const)('%s is rejected with the reason, and not kept', async (_, query, body, status, error) => {
  await newMerchant();
  expect(await send(query, body)).toEqual({ status, body: { error } });
  const kept = await trilho.deps.db.pool.query('SELECT FROM kyc_documents WHERE merchant_id = $1', [merchantId]);
  expect(kept.rowCount).toBe(0);
});

test('a file of exactly the greatest size is taken', async () => {
  await newMerchant();
  const overhead = pngFile(1).length - 1;
  const whole = pngFile(FILE_BYTES_MAX - overhead);
  expect(whole.length).toBe(FILE_BYTES_MAX);
  expect(await send('kind=selfie', whole)).toMatchObject({ status: 201, body: { bytes: FILE_BYTES_MAX } });
});

// ASVS 5.2.1
test('a body without a stated length is rejected as soon as it is too long, and not read to its end', async () => {
  await newMerchant();
  const piece = Buffer.alloc(64 * 1024);
  let sentBytes = 0;
  const status = await new Promise<number>((resolve, reject) => {
    const req = request(`${url}/upload?kind=identity`, { method: 'PUT', agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
      req.destroy();
    });
    req.on('error', reject);
    const more = () => {
      // Ten times what is allowed: it never comes to that.
      while (!req.destroyed && sentBytes < FILE_BYTES_MAX * 10) {
        sentBytes += piece.length;
        if (!req.write(piece)) return req.once('drain', more);
      }
    };
    more();
  });
  expect(status).toBe(413);
  expect(sentBytes).toBeLessThan(FILE_BYTES_MAX * 3);
});

test('one merchant can’t fill the memory with uploads that never end', async () => {
  await newMerchant();
  const before = arrived;
  const slow = Array.from({ length: 2 }, () => {
    const req = request(`${url}/upload?kind=identity`, {
      method: 'POST',
      agent: false,
      headers: { 'content-length': 1000 },
    });
    req.on('error', () => {});
    req.write('x');
    return req;
  });
  await trilho.until('both have begun', async () => (arrived === before + 2 ? true : null));
  expect(await send('kind=identity', pdfFile())).toEqual({ status: 429, body: { error: 'busy' } });
  for (const req of slow) req.destroy();
  await trilho.until('there is room again', async () => {
    const answer = await send('kind=address', pdfFile());
    return answer.status === 201 ? true : null;
  });
});

test('another merchant’s document, and one that does not exist, are answered alike', async () => {
  await newMerchant();
  const { body } = await send('kind=identity', pdfFile());
  await newMerchant();
  const answers = await Promise.all(
    [String(body.id), '018f0000-0000-7000-8000-000000000000', 'x', ''].map(async (id) => {
      const answer = await fetch(`${url}/download?id=${id}`);
      return [answer.status, await answer.text()];
    }),
  );
  expect(answers).toEqual(Array(4).fill([404, '{"error":"not_found"}']));
});
