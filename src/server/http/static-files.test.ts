import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressFiles } from '../../../scripts/compress-files.mjs';
import { readStaticFiles } from './static-files.ts';

const SCRIPT = `globalThis.answer = ${JSON.stringify('forty-two '.repeat(200))};\n`;
const FONT = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 3]);

describe('the files of the built pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-static-'));
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 'chunks'));
    writeFileSync(join(folder, 'chunks', 'a~1.js'), SCRIPT);
    writeFileSync(join(folder, 'face.woff2'), FONT);
    await compressFiles(folder);
    const files = readStaticFiles(folder, '/_next/static/');
    // As a newer build would do, in the folder of the running service.
    rmSync(folder, { recursive: true });
    server = createServer((req, res) => {
      if (!files(req, res, req.url ?? '')) res.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const get = async (path: string, acceptEncoding?: string, method: 'GET' | 'HEAD' = 'GET') => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    const { statusCode, headers: answered, body } = await request(origin + path, { method, headers });
    return { status: statusCode, headers: answered, body: Buffer.from(await body.arrayBuffer()) };
  };

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['BR;q=0.5, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
    ['br;q=0.000', undefined, (content: Buffer) => content],
    ['identity', undefined, (content: Buffer) => content],
    [undefined, undefined, (content: Buffer) => content],
  ])('come as small as a client with "%s" takes them', async (accepted, encoding, unpack) => {
    const { status, headers, body } = await get('/_next/static/chunks/a~1.js', accepted);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(unpack(body).toString()).toBe(SCRIPT);
    if (encoding) expect(body.length).toBeLessThan(SCRIPT.length / 2);
  });

  it('come as they are where they are compressed already', async () => {
    const { headers, body } = await get('/_next/static/face.woff2', 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toEqual(FONT);
  });

  it('answer HEAD with the length and without the content', async () => {
    const { headers, body } = await get('/_next/static/face.woff2', undefined, 'HEAD');
    expect(headers['content-length']).toBe(String(FONT.length));
    expect(body).toHaveLength(0);
  });

  it('run nothing when one of them is opened by itself', async () => {
    const { headers } = await get('/_next/static/chunks/a~1.js');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each([
    '/_next/static/chunks/b.js',
    '/_next/static/chunks/a~1.js.br',
    '/_next/static/chunks',
    '/_next/static/../secret.js',
    '/chunks/a~1.js',
  ])('are only those that the build made, by their names: not %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
