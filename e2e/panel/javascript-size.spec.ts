import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from 'playwright';
import { expect, test } from './fixtures.ts';
import { PAGES_BEFORE_SIGN_IN, PANEL_PAGES } from './pages.ts';

/** Payers and people who sign in come on telephones: a second on a slow network. */
const PUBLIC_BYTES_MAX = 180_000;
const PANEL_BYTES_MAX = 300_000;
/** A page has loaded what it loads by itself when nothing has come for so long. */
const QUIET_MS = 1_500;

test('sign-in and payment pages load less than 180 kB of JavaScript', async ({ browser, merchant, baseURL }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  const invoice = await merchant.createInvoice({ amount: 108 });
  for (const path of [...PAGES_BEFORE_SIGN_IN, `/pay/${charge.id}`, `/pay/${invoice.id}`]) {
    const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR' });
    expect.soft(await javascriptOf(context, path), path).toBeLessThan(PUBLIC_BYTES_MAX);
    await context.close();
  }
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
  for (const path of [...PANEL_PAGES, `/transacoes/${id}`]) {
    const context = await signedInAsNew(browser, page.context(), baseURL);
    expect.soft(await javascriptOf(context, `/test${path}`), path).toBeLessThan(PANEL_BYTES_MAX);
    await context.close();
  }
});

/** The same login in a browser that has nothing in its cache. */
const signedInAsNew = async (browser: Browser, context: BrowserContext, baseURL: string | undefined) =>
  browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR', storageState: await context.storageState() });

/** The bytes, compressed, of every script that a page fetches before anybody touches it: what it loads late counts too. */
async function javascriptOf(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const sizes = new Map<string, Promise<number>>();
  let lastAt = performance.now();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    lastAt = performance.now();
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  while (performance.now() - lastAt < QUIET_MS) await page.waitForTimeout(100);
  const bytes = await Promise.all(sizes.values());
  return bytes.reduce((sum, size) => sum + size, 0);
}
