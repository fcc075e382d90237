import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright';
import { expect, operator, test } from './fixtures.ts';
import { PAGES_BEFORE_SIGN_IN, PANEL_JAVASCRIPT_MAX, PANEL_PAGES, PUBLIC_JAVASCRIPT_MAX } from './pages.ts';

/** React alone is more: a page with less was not measured. */
const LEAST_BYTES = 60_000;
/** A page has loaded what it loads by itself once nothing has come for this long. */
const QUIET_MS = 1_500;

const STYLE_SHEET = /<link rel="stylesheet" href="([^"?]+)/g;

/** Layout that moves while a page is loaded, as CLS counts it: below this it is not visible. */
const SHIFT_MAX = 0.01;

/** Four pages without a cache at once, on a machine that is busy with other tests. */
const FIRST_LOAD_MS = 60_000;
/** Pages that are checked in parallel: most of the time is waiting. */
const SIDE_BY_SIDE = 4;

test('sign-in and payment pages load less than 180 kB of JavaScript', async ({ browser, merchant, baseURL }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  const invoice = await merchant.createInvoice({ amount: 108 });
  const stranger = () => browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR' });
  const sizes = await javascriptOf([...PAGES_BEFORE_SIGN_IN, `/pay/${charge.id}`, `/pay/${invoice.id}`], stranger);
  expect(tooBig(sizes, PUBLIC_JAVASCRIPT_MAX)).toEqual([]);
});

test('every page of the panel loads less than 300 kB of JavaScript, no page that is not pointed at, comes with its styles, and nothing on it moves', async ({
  browser,
  page,
  shop,
  baseURL,
}) => {
  await shop.earns(100.5);
  const { id } = await shop.createCharge({ amount: 30 });
  const { id: contested } = await shop.createCharge({ amount: 40 });
  await shop.pays(contested);
  await operator('dispute', 'open', contested, '--reason', 'fraud');
  const { id: refunded } = await shop.createCharge({ amount: 50 });
  await shop.pays(refunded);
  await shop.post(`/payments/transactions/${refunded}/refund`, { amount: 20 });
  const storageState = await page.context().storageState();
  const member = () => browser.newContext({ baseURL: baseURL ?? '', locale: 'pt-BR', storageState });
  const transactions = [id, contested, refunded].map((one) => `/transacoes/${one}`);
  const paths = [...PANEL_PAGES, ...transactions].map((path) => `/test${path}`);
  const loads = await javascriptOf(paths, member);
  expect(tooBig(loads, PANEL_JAVASCRIPT_MAX)).toEqual([]);
  expect(loads.filter(({ fetched }) => fetched.length > 0)).toEqual([]);
  expect(loads.filter(({ lateStyles }) => lateStyles.length > 0)).toEqual([]);
  expect(loads.filter(({ shift }) => shift >= SHIFT_MAX)).toEqual([]);
  await fetchesOnceWhatIsPointedAt(await (await member()).newPage());
  await figuresStayWhereTheyAre(await (await member()).newPage());
});

/**
 * A page is fetched once the mouse or the focus comes to its link, and not again when it is
 * followed.
 */
async function fetchesOnceWhatIsPointedAt(page: Page): Promise<void> {
  await page.goto('/test/inicio');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Início');
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const fetched = partsOf(page);
  const wanted: string[] = [];
  for (const [path, point] of [
    ['/test/extrato', () => link('Extrato').hover()],
    ['/test/webhooks', () => link('Webhooks').focus()],
  ] as const) {
    await point();
    // Next fetches the tree of the page's parts, then all of them.
    wanted.push(`${path} /_tree`, path);
    await expect.poll(() => fetched).toEqual(wanted);
  }
  await heading.hover();
  await link('Extrato').click();
  await expect(heading).toHaveText('Extrato');
  expect(fetched).toEqual(wanted);
}

/**
 * No figure moves when the account's progress becomes known last, after a first try that failed.
 */
async function figuresStayWhereTheyAre(page: Page): Promise<void> {
  const name = 'firstSteps.get';
  await page.route(`**/api/trpc/test/*${name}*`, async (route) => {
    const response = await route.fetch();
    const names = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
    // A call that is alone in its request is the second try.
    if (names.length === 1) return route.fulfill({ response });
    const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 };
    const json = await response.json();
    json[names.indexOf(name)] = { error: { code: -32603, message: 'Late', data } };
    await route.fulfill({ response, json });
  });
  // A page that is opened from another one comes without data.
  await page.goto('/live/inicio');
  await page.locator('html[data-interactive]').waitFor({ state: 'attached' });
  await page.getByText('Teste', { exact: true }).click();
  const figures = page.getByRole('region', { name: 'Movimento' });
  await expect(figures).toBeVisible();
  const before = await figures.boundingBox();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Primeiros passos' })).toBeVisible();
  expect((await figures.boundingBox())?.y).toBe(before?.y);
}

type Seen = {
  scripts: Set<string>;
  /** Other pages that were fetched. */
  fetched: string[];
  /** Style sheets that the page's HTML does not name: they come after what the server drew. */
  lateStyles: string[];
  /** Layout shift (CLS). */
  shift: number;
};
type Load = Omit<Seen, 'scripts'> & { path: string; bytes: number };

const tooBig = (sizes: Load[], most: number) =>
  sizes.filter(({ bytes }) => bytes >= most || bytes < LEAST_BYTES).map(({ path, bytes }) => ({ path, bytes }));

/**
 * The bytes, compressed, of the JavaScript of each page, in a browser that has nothing in its
 * cache.
 */
async function javascriptOf(paths: string[], newContext: () => Promise<BrowserContext>) {
  const sizes: Load[] = [];
  for (let from = 0; from < paths.length; from += SIDE_BY_SIDE) {
    const some = paths.slice(from, from + SIDE_BY_SIDE).map(async (path) => {
      const context = await newContext();
      const { scripts, ...seen } = await load(await context.newPage(), path);
      const bytes = await Promise.all([...scripts].map((url) => compressedBytes(context, url)));
      await context.close();
      return { path, bytes: bytes.reduce((sum, size) => sum + size, 0), ...seen };
    });
    sizes.push(...(await Promise.all(some)));
  }
  return sizes;
}

/** Compressed sizes by address: most scripts belong to many pages. */
const known = new Map<string, Promise<number>>();
function compressedBytes({ request }: BrowserContext, url: string): Promise<number> {
  const size = known.get(url) ?? request.get(url).then(async (answer) => gzipSync(await answer.body()).length);
  known.set(url, size);
  return size;
}

/**
 * Collects the paths of pages that are fetched from here on; the part follows where Next asks for
 * one alone.
 */
function partsOf(page: Page): string[] {
  const parts: string[] = [];
  page.on('request', (request) => {
    const { rsc, 'next-router-segment-prefetch': part } = request.headers();
    if (rsc === '1') parts.push([new URL(request.url()).pathname, part].filter(Boolean).join(' '));
  });
  return parts;
}

/**
 * Loads a page, and waits until it has fetched all that it fetches before anybody touches it: what
 * it loads late counts too.
 */
async function load(page: Page, path: string): Promise<Seen> {
  const fetched = partsOf(page);
  const scripts = new Set<string>();
  const styles = new Set<string>();
  let lastAt = performance.now();
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') styles.add(new URL(request.url()).pathname);
    if (request.resourceType() !== 'script') return;
    lastAt = performance.now();
    scripts.add(request.url());
  });
  const answer = await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible({ timeout: FIRST_LOAD_MS });
  while (performance.now() - lastAt < QUIET_MS) await page.waitForTimeout(100);
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        // What was buffered is reported in a task of its own.
        setTimeout(() => resolve(sum), 100);
      }),
  );
  const html = (await answer?.text()) ?? '';
  const first = new Set(Array.from(html.matchAll(STYLE_SHEET), ([, sheet]) => sheet));
  return { scripts, fetched, lateStyles: [...styles].filter((sheet) => !first.has(sheet)), shift };
}
