import { type Browser, chromium } from 'playwright';
import { openDatabase } from '#db/connection/database.ts';
import { findDemoAccount } from '#demo/seed-demo.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { PANEL_PAGES } from '../e2e/panel/pages.ts';
import { fillAccount } from './fill-account.ts';
import type { Installation } from './installation.ts';
import { signInToEveryPage } from './javascript.ts';

/**
 * The time until the largest element of a page is painted (LCP), and how much of the page moves
 * meanwhile (CLS).
 */
export const PAINT_MS_WANTED = 600;
export const SHIFT_WANTED = 0.01;
/** How many loads of a page are counted, each in a browser with an empty cache. */
const LOADS = 3;
/** The transactions of the account whose pages are painted: its lists and figures are full. */
const TRANSACTIONS = 2_000;
/** A page has finished loading once nothing more was painted for this long. */
const QUIET_MS = 700;

type Paint = { lcpMs: number; shift: number; firstByteMs: number; requests: number; prefetches: number; what: string };
/** Medians; of `shift` and `prefetches` the largest value. */
export type PagePaint = { page: string } & Paint;

/**
 * Measures how a browser on this machine paints each page of the panel, at 1440 × 900; null where
 * there is no browser.
 */
export async function measurePaint(
  installation: Installation,
  progress: (text: string) => void,
): Promise<PagePaint[] | null> {
  const executablePath = process.env.CHROMIUM_PATH;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args }).catch(() => null);
  if (!browser) return null;
  try {
    await fillDemoAccount(installation);
    const cookie = await signInToEveryPage(installation);
    const { url } = installation.service;
    const results: PagePaint[] = [];
    for (const page of PANEL_PAGES.map((path) => `/test${path}`)) {
      // The first load of a page warms the service up.
      await load(browser, url, page, cookie);
      const paints: Paint[] = [];
      for (let count = 0; count < LOADS; count++) paints.push(await load(browser, url, page, cookie));
      const result = { page, ...summary(paints) };
      results.push(result);
      progress(`${page}: ${result.lcpMs.toFixed(0)} ms`);
    }
    return results;
  } finally {
    await browser.close();
  }
}

async function fillDemoAccount({ ownerUrl, masterKeys }: Installation): Promise<void> {
  const db = openDatabase(ownerUrl, { max: 2 });
  const secretBox = createSecretBox(masterKeys);
  const accountId = await findDemoAccount({ db }, 'test');
  if (accountId === null) throw new Error('The installation has no demo account.');
  await fillAccount(db, secretBox, accountId, TRANSACTIONS);
  await db.close();
}

async function load(browser: Browser, origin: string, path: string, cookie: string): Promise<Paint> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1440, height: 900 } });
  const pairs = cookie.split('; ').map((pair) => /^([^=]*)=(.*)$/.exec(pair) ?? []);
  await context.addCookies(pairs.map(([, name = '', value = '']) => ({ name, value, url: origin })));
  const page = await context.newPage();
  let requests = 0;
  let prefetches = 0;
  page.on('request', (request) => {
    requests++;
    if (
      Object.keys(request.headers()).some((header) => header.startsWith('next-router-') && header.includes('prefetch'))
    )
      prefetches++;
  });
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const seen = await page.evaluate(observe, QUIET_MS);
  await context.close();
  return { ...seen, requests, prefetches };
}

/** Runs in the page: waits until nothing is painted any more. */
function observe(quietMs: number): Promise<Omit<Paint, 'requests' | 'prefetches'>> {
  return new Promise((resolve) => {
    let lcpMs = 0;
    let shift = 0;
    let what = '';
    let timer = setTimeout(done, quietMs);
    const on = (type: string, note: (entry: PerformanceEntry & { value?: number; element?: Element }) => void) =>
      new PerformanceObserver((list) => {
        list.getEntries().forEach(note);
        clearTimeout(timer);
        timer = setTimeout(done, quietMs);
      }).observe({ type, buffered: true });
    on('largest-contentful-paint', ({ startTime, element }) => {
      lcpMs = startTime;
      what = `${element?.tagName.toLowerCase()} ${element?.textContent?.slice(0, 24)}`;
    });
    on('layout-shift', ({ value = 0 }) => {
      shift += value;
    });
    function done() {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      resolve({ lcpMs, shift, firstByteMs: navigation?.responseStart ?? 0, what });
    }
  });
}

function summary(paints: readonly Paint[]): Paint {
  const sorted = paints.toSorted((a, b) => a.lcpMs - b.lcpMs);
  const median = (of: (paint: Paint) => number) =>
    paints.map(of).toSorted((a, b) => a - b)[Math.floor(paints.length / 2)] ?? Number.NaN;
  return {
    lcpMs: median(({ lcpMs }) => lcpMs),
    firstByteMs: median(({ firstByteMs }) => firstByteMs),
    requests: median(({ requests }) => requests),
    prefetches: Math.max(...paints.map(({ prefetches }) => prefetches)),
    shift: Math.max(...paints.map(({ shift }) => shift)),
    what: sorted[Math.floor(sorted.length / 2)]?.what ?? '',
  };
}
