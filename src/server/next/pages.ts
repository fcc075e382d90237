import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import { readStaticFiles } from '../http/static-files.ts';

export type Pages = {
  /** The id of the build: other code has another one, also on another machine. */
  buildId: string;
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  close(): Promise<void>;
};

/** Opens Next, for pages only: all other requests are answered before they get there. */
export async function openPages(options: { dev: boolean }): Promise<Pages> {
  const dir = join(import.meta.dirname, '../../..');
  // Next handles the upgrade requests of the server that it is given: in development for its hot
  // reload; in production such a client would hang, so Next gets a server without connections.
  const app = options.dev ? next({ dev: true, dir }) : next({ dir, httpServer: new Server() });
  await app.prepare();
  const handle = app.getRequestHandler();
  // In development pages are replaced as they change, without a build.
  const buildId = options.dev ? 'development' : readFileSync(join(dir, '.next', 'BUILD_ID'), 'utf8').trim();
  // Next would look each of them up on the disk and compress it again for every visitor.
  const files = options.dev ? undefined : readStaticFiles(join(dir, '.next', 'static'), '/_next/static/');
  return {
    buildId,
    async handle(req, res) {
      if (files?.(req, res, pathOf(req))) return;
      const nonce = randomBytes(16).toString('base64');
      const policy = contentSecurityPolicy(nonce, options.dev);
      // Next reads the nonce from the request's own policy; a client's is overwritten.
      req.headers['x-nonce'] = nonce;
      req.headers['content-security-policy'] = policy;
      res.setHeader('content-security-policy', policy);
      await handle(req, res);
    },
    close: () => app.close(),
  };
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

/**
 * Scripts only with the request's nonce, no framing. Styles may be inline: the component library
 * writes them so.
 */
function contentSecurityPolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
