import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright';
import { expect, test } from './fixtures.ts';
import { PAGES_BEFORE_SIGN_IN, PANEL_JAVASCRIPT_MAX, PANEL_PAGES, PUBLIC_JAVASCRIPT_MAX } from './pages.ts';

/** React alone is more: a page with less was not measured. */
const LEAST_BYTES = 60_000;
/** A page has loaded what it loads by itself when nothing has come for so long. */
const QUIET_MS = 1_500;

/** Pages that are looked at side by side: mostly it is waited. */
const SIDE_BY_SIDE = 4;

test('sign-in and payment pages load less than 180 kB of JavaScript', async ({ browser, merchant, baseURL }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  const invoice = await merchant.createInvoice({ amount: 108 });
  const stranger = () => browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR' });
  const sizes = await javascriptOf([...PAGES_BEFORE_SIGN_IN, `/pay/${charge.id}`, `/pay/${invoice.id}`], stranger);
  expect(tooBig(sizes, PUBLIC_JAVASCRIPT_MAX)).toEqual([]);
});

test('every page of the panel loads less than 300 kB of JavaScript by itself', async ({
  browser,
  page,
  shop,
  baseURL,
}) => {
  test.setTimeout(240_000);
  await shop.earns(100.5);
  const { id } = await shop.createCharge({ amount: 30 });
  const storageState = await page.context().storageState();
  const member = () => browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR', storageState });
  const paths = [...PANEL_PAGES, `/transacoes/${id}`].map((path) => `/test${path}`);
  expect(tooBig(await javascriptOf(paths, member), PANEL_JAVASCRIPT_MAX)).toEqual([]);
});

const tooBig = (sizes: { path: string; bytes: number }[], most: number) =>
  sizes.filter(({ bytes }) => bytes >= most || bytes < LEAST_BYTES);

/** The bytes, compressed, of the JavaScript of each page, in a browser that has nothing in its cache. */
async function javascriptOf(paths: string[], newContext: () => Promise<BrowserContext>) {
  const sizes: { path: string; bytes: number }[] = [];
  for (let from = 0; from < paths.length; from += SIDE_BY_SIDE) {
    const some = paths.slice(from, from + SIDE_BY_SIDE).map(async (path) => {
      const context = await newContext();
      const scripts = await scriptsOf(await context.newPage(), path);
      const bytes = await Promise.all([...scripts].map((url) => compressedBytes(context, url)));
      await context.close();
      return { path, bytes: bytes.reduce((sum, size) => sum + size, 0) };
    });
    sizes.push(...(await Promise.all(some)));
  }
  return sizes;
}

/** Most scripts belong to many pages. */
const known = new Map<string, Promise<number>>();
function compressedBytes({ request }: BrowserContext, url: string): Promise<number> {
  const size = known.get(url) ?? request.get(url).then(async (answer) => gzipSync(await answer.body()).length);
  known.set(url, size);
  return size;
}

/** Every script that a page fetches before anybody touches it: what it loads late counts too. */
async function scriptsOf(page: Page, path: string): Promise<Set<string>> {
  const scripts = new Set<string>();
  let lastAt = performance.now();
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return;
    lastAt = performance.now();
    scripts.add(request.url());
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  while (performance.now() - lastAt < QUIET_MS) await page.waitForTimeout(100);
  return scripts;
}
