import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const TYPEFACE_BYTES_MAX = 60_000;
/** A layout shift (CLS) that is too small to notice. */
const SHIFT_MAX = 0.01;

test('pages are set in our own typeface, which comes from here, early and small, and moves nothing', async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 30, description: 'Pedido 42' });
  await page.addInitScript(() => {
    const sums = window as unknown as { shift: number };
    sums.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) sums.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const fonts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.add(request.url());
  });
  // The transaction is opened by its address: on a desktop it is beside its list.
  for (const path of ['/entrar', `/test/transacoes/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => document.fonts.check('14px "typeface"'))).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"?typeface/);
    expect(await shiftOf(page), path).toBeLessThan(SHIFT_MAX);
  }
  await page.getByRole('button', { name: 'Fechar a transação' }).click();
  await expect(page.getByRole('searchbox', { name: 'Buscar transações' })).toBeVisible();
  expect(await shiftOf(page), 'the list when the transaction is closed').toBeLessThan(SHIFT_MAX);

  const origin = new URL(page.url()).origin;
  const [font = '', ...others] = fonts;
  expect(others).toEqual([]);
  expect(new URL(font).origin).toBe(origin);
  expect((await (await page.request.get(font)).body()).length).toBeLessThan(TYPEFACE_BYTES_MAX);
  // A header asks for it before the page itself has come.
  const { link = '' } = (await page.request.get('/entrar')).headers();
  expect(link).toContain(`<${new URL(font).pathname}>; rel=preload; as="font"`);

  // On a slow line it comes after the page was painted, which then stays as it is.
  let send = () => {};
  const isSent = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(font, async (route) => {
    await isSent;
    await route.continue();
  });
  await page.goto('/test/seguranca', { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('heading', { name: 'Pessoas' })).toBeVisible();
  const arrived = page.waitForResponse(font);
  send();
  await (await arrived).finished();
  await page.waitForLoadState('networkidle');
  expect(await shiftOf(page), 'a page whose typeface is late').toBeLessThan(SHIFT_MAX);
});

const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { shift: number }).shift);
