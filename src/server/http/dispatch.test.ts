import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createDispatch } from './dispatch.ts';
import type { HttpHandlers } from './http-handlers.ts';
import { COSTS } from './visitor-limits.ts';

/** What a GET of a browser cost its visitor, and whether it waited for a place. */
async function costOf(path: string): Promise<string[]> {
  const counted: string[] = [];
  const visitors = {
    countStatic: () => counted.push('static'),
    count: (_req: unknown, _res: unknown, points: number) => counted.push(String(points)),
    enter: async () => counted.push('entered'),
  };
  const web = { visitors, files: { isFilePath: () => false }, rest: async () => {} };
  const pages = { buildId: 'b', show: async () => {} };
  const dispatch = createDispatch({ web, pages, maySeeMetrics: () => false } as unknown as HttpHandlers);
  const headers = { host: 'localhost', accept: 'text/html' };
  const req = { url: path, method: 'GET', headers, rawHeaders: ['Host', 'localhost'], httpVersion: '1.1' };
  const res = { setHeader: () => {} };
  const context = { path, query: '', route: '' };
  await dispatch(req as unknown as IncomingMessage, res as unknown as ServerResponse, context as never);
  return counted;
}

test.each([
  ...['/entrar', '/convite', '/cadastro/confirmar', '/test/inicio', '/pay/x', '/operator'],
  ...['/no-such-page', '/pay/x.png', '/no-such.svg', '/_next/x'],
])('the page at %s costs its visitor a page, and waits for a place', async (path) => {
  expect(await costOf(path)).toEqual([String(COSTS.page), 'entered']);
});

test.each(['/_next/static/a.js', '/icon.svg', '/docs.md', '/docs/home.png', '/llms-full.txt'])(
  'the file at %s costs next to nothing',
  async (path) => {
    expect(await costOf(path)).toEqual(['static']);
  },
);
