import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { DESKTOP, PAGES_BEFORE_SIGN_IN, PANEL_PAGES, PHONE } from '../panel/pages.ts';

/**
 * Takes pictures of the demonstration as it is after its first start: of every page for looking at,
 * and five for README and docs.
 */

const CHECKOUT = join(import.meta.dirname, '../..');
const FOLDER = join(CHECKOUT, 'screenshots');
const SHOWN = join(CHECKOUT, 'public/docs');
/** What comes by itself after a page is there: pictures of QR codes, charts. */
const SETTLE_MS = 700;

const run = promisify(execFile);
const MODES = ['live', 'test'] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [width, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`${colorScheme}, ${width}`, async ({ browser, baseURL }) => {
      test.setTimeout(600_000);
      const context = await browser.newContext({
        baseURL: baseURL ?? '',
        viewport,
        colorScheme,
        locale: 'pt-BR',
        hasTouch: width === 'phone',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const folder = join(FOLDER, `${colorScheme}-${width}`);
      mkdirSync(folder, { recursive: true });
      const take = async (path: string, name: string) => {
        await page.goto(path);
        await settle(page);
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      };
      for (const path of PAGES_BEFORE_SIGN_IN) await take(path, nameOf(path));
      const { email, password } = await demoLogin();
      await signIn(context.request, baseURL ?? '', email, password);
      for (const mode of MODES) {
        for (const path of PANEL_PAGES) await take(`/${mode}${path}`, `${mode}-${nameOf(path)}`);
      }
      const paid = await firstPaid(context.request);
      await take(`/test/transacoes/${paid}`, 'test-transacao');
      await take(`/test/transacoes/${paid}/recibo`, 'test-recibo');
      await take(`/pay/${paid}`, 'pagamento');
      await take('/docs', 'docs');
      if (colorScheme === 'light' && width === 'desktop') await takeShown(page, paid);
      await context.close();
    });
  }
}

/** Takes the five that README and docs show. */
async function takeShown(page: Page, paid: string): Promise<void> {
  const shown: [name: string, path: string][] = [
    ['home', '/test/inicio'],
    ['transactions', '/test/transacoes'],
    ['transaction', `/test/transacoes/${paid}`],
    ['webhooks', '/test/webhooks'],
  ];
  for (const [name, path] of shown) {
    await page.goto(path);
    await settle(page);
    await page.screenshot({ path: join(SHOWN, `${name}.png`) });
  }
  await page.setViewportSize(PHONE);
  await page.goto(`/pay/${await newCharge(page.request)}`);
  await settle(page);
  await page.screenshot({ path: join(SHOWN, 'payment-page.png') });
}

async function demoLogin(): Promise<{ email: string; password: string; api_key: string }> {
  const env = { ...process.env, TRILHO_HOME: process.env.TRILHO_E2E_HOME };
  const args = ['run', '--silent', 'trilho', '--', 'demo', '--json'];
  const { stdout } = await run('npm', args, { cwd: CHECKOUT, env });
  return JSON.parse(stdout);
}

async function signIn(request: APIRequestContext, origin: string, email: string, password: string): Promise<void> {
  const answer = await request.post('/api/auth/sign-in/email', { data: { email, password }, headers: { origin } });
  expect(answer.ok()).toBe(true);
}

async function firstPaid(request: APIRequestContext): Promise<string> {
  const input = encodeURIComponent(JSON.stringify({ type: 'pix_in', status: 'paid' }));
  const answer = await request.get(`/api/trpc/test/transactions.list?input=${input}`);
  const { result } = (await answer.json()) as { result: { data: { data: { transaction_id: string }[] } } };
  return result.data.data[0]?.transaction_id ?? '';
}

async function newCharge(request: APIRequestContext): Promise<string> {
  const { api_key } = await demoLogin();
  const answer = await request.post('/payments/transactions', {
    headers: { 'x-api-key': api_key },
    data: { amount: 100.5, description: 'Pedido 42' },
  });
  return ((await answer.json()) as { data: { transaction_id: string } }).data.transaction_id;
}

async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForTimeout(SETTLE_MS);
}

const nameOf = (path: string) => path.replace(/\?.*/, '').slice(1).replaceAll('/', '-');
