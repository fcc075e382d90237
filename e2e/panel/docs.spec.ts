import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { seriousViolations } from './accessibility.ts';
import { PHONE } from './pages.ts';

/** Bytes of JavaScript (gzip) that the reference may load. */
const SCRIPT_BYTES_MAX = 300 * 1024;
/** The form of a live key, but not issued. */
const LIVE_KEY = `tr_live_${'A'.repeat(36)}`;
/** Marks an operation that consists of what others before it consist of. */
const REPEATED = 'data-repeated';

test('the reference shows every operation, also without JavaScript', async ({ browser, baseURL, request }) => {
  const document = (await (await request.get('/api/openapi.json')).json()) as { paths: Record<string, object> };
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? '', locale: 'pt-BR' });
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'Referência da API' })).toBeVisible();
  const shown = await page.locator('main code:visible').allInnerTexts();
  expect(Object.keys(document.paths).filter((path) => !shown.includes(path))).toEqual([]);
  await expect(page.getByText('Valor abaixo do mínimo aceito pela rede').first()).toBeAttached();
  await page.close();
});

test('each link of the index for language models leads to a text', async ({ request }) => {
  const index = await request.get('/llms.txt');
  expect(index.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const links = [...(await index.text()).matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(40);
  for (const link of links) {
    const answer = await request.get(link);
    expect([link, answer.status()]).toEqual([link, 200]);
    if (link.endsWith('.md')) expect(answer.headers()['content-type']).toBe('text/markdown; charset=utf-8');
  }
  expect((await request.get('/docs.md')).status()).toBe(200);
  expect((await request.get('/docs/nothing.md')).status()).toBe(404);
});

test('the try-it makes a real charge with a test key', async ({ page, merchant }) => {
  await page.goto('/docs');
  await page.getByLabel('Chave de teste').fill(merchant.apiKey);
  await page.getByRole('button', { name: 'Enviar' }).click();
  await expect(page.getByText(/Resposta 200 em/)).toBeVisible();
  const { length } = (await merchant.get('/payments/transactions')) as unknown as unknown[];
  expect(length).toBe(1);
});

test('the try-it sends nothing with a live key, and keeps no key', async ({ page, merchant }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/docs');
  const key = page.getByLabel('Chave de teste');
  await key.fill(LIVE_KEY);
  await expect(page.getByText('Isto parece uma chave de produção')).toBeVisible();
  await expect(key).toHaveValue('');
  await page.getByRole('button', { name: 'Enviar' }).click();
  expect(sent).toEqual([]);

  await key.fill(merchant.apiKey);
  await page.reload();
  await expect(key).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('tr_');
});

test('the reference fits a phone and can be read in the dark, and axe finds nothing serious on it', async ({
  page,
}) => {
  // It is by far the longest page, with thousands of elements.
  test.slow();
  await page.setViewportSize(PHONE);
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'Referência da API' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(await seriousViolations(page, { only: 'structure' })).toEqual([]);
  // Colours are the rule that takes long.
  expect(await markRepetitions(page)).toBeGreaterThan(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    expect(await seriousViolations(page, { only: 'colours', except: `[${REPEATED}]` })).toEqual([]);
  }
});

test('planted: a colour that only one operation has is not left out of what is checked in the dark', async ({
  page,
}) => {
  const operation = '<section><h3>x</h3><p class="text">text</p></section>';
  await page.setContent(`<html lang="en"><title>x</title><body style="background: #000; color: #fff"><main>
    <section class="group">${operation}${operation}<section><h3>x</h3><p class="pale" style="color: #333">pale</p></section>${operation}</section>
  </main></body></html>`);
  expect(await markRepetitions(page)).toBe(2);
  const [violation = ''] = await seriousViolations(page, { only: 'colours', except: `[${REPEATED}]` });
  expect(violation).toContain('.pale');
});

test.describe('in English', () => {
  test.use({ locale: 'en-US' });

  test('the reference follows the browser’s language', async ({ page }) => {
    await page.goto('/docs');
    await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible();
    // Its elements are those of the page in Portuguese, which are checked above.
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});

test('the reference loads little JavaScript, all of it with its nonce', async ({ page }) => {
  const violations: string[] = [];
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && violations.push(message.text()),
  );
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      sizes.push(
        response
          .request()
          .sizes()
          .then((size) => size.responseBodySize),
      );
  });
  await page.goto('/docs', { waitUntil: 'networkidle' });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(SCRIPT_BYTES_MAX);
  expect(violations).toEqual([]);
});

/**
 * Marks the operations that have no kind of element of their own, by its tags, classes and data: a
 * kind has its colours, not an element. Returns how many it marked.
 */
const markRepetitions = (page: Page): Promise<number> =>
  page.evaluate((mark) => {
    const known = new Set<string>();
    const datasetOf = (element: Element) => JSON.stringify(Object.entries((element as HTMLElement).dataset));
    const kindOf = (element: Element): string =>
      element.tagName === 'MAIN' || !element.parentElement
        ? ''
        : `${kindOf(element.parentElement)} ${element.tagName}.${element.className}${datasetOf(element)}`;
    const operations = [...document.querySelectorAll('main > section section')];
    const repeated = operations.filter((operation) => {
      const before = known.size;
      for (const element of operation.querySelectorAll('*')) known.add(kindOf(element));
      return known.size === before;
    });
    for (const operation of repeated) operation.setAttribute(mark, '');
    return repeated.length;
  }, REPEATED);
