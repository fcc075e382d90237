import { expect, test } from '../fixtures.ts';
import { seriousViolations } from './accessibility.ts';
import { PHONE } from './pages.ts';

/** Bytes of JavaScript (gzip) that the reference may load. */
const SCRIPT_BYTES_MAX = 300 * 1024;
/** The form of a live key, but not issued. */
const LIVE_KEY = `tr_live_${'A'.repeat(36)}`;

test('the reference shows every operation, also without JavaScript', async ({ browser, baseURL, request }) => {
  const document = (await (await request.get('/api/openapi.json')).json()) as { paths: Record<string, object> };
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? '', locale: 'pt-BR' });
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'Referência da API' })).toBeVisible();
  for (const path of Object.keys(document.paths))
    await expect(page.getByText(path, { exact: true }).first()).toBeVisible();
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

test('the reference fits a phone, and axe finds nothing serious on it', async ({ page }) => {
  // It is by far the longest page: each of its thousands of elements is checked.
  test.slow();
  await page.setViewportSize(PHONE);
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'Referência da API' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(await seriousViolations(page)).toEqual([]);
});

test('the reference can be read in the dark', async ({ page }) => {
  test.slow();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/docs');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await seriousViolations(page, { only: 'colours' })).toEqual([]);
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
