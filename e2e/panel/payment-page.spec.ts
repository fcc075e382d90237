import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { seriousViolations } from './accessibility.ts';

const PHONE = { width: 390, height: 844 };

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('the payer copies the code, pays, and the page turns to paid by itself', async ({ page, merchant, payerPays }) => {
  const charge = await merchant.createCharge({ amount: 1234.5, description: 'Pedido 42' });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`/pay/${charge.id}`);
  await expect(page.getByText('Padaria São José').first()).toBeVisible();
  await expect(page.getByText('R$\u00a01.234,50').first()).toBeVisible();
  await expect(page.getByText('Pedido 42')).toBeVisible();
  await expect(page.getByRole('img', { name: /QR code do PIX/ })).toBeVisible();
  await expect(page.getByText(/Expira em/)).toBeVisible();

  await page.getByRole('button', { name: 'Copiar código PIX' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(charge.brCode);

  await payerPays(charge);
  await expect(page.getByText('Pagamento confirmado').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copiar código PIX' })).toBeHidden();
  // The browser draws what the server drew: the clock of neither is in it.
  expect(errors).toEqual([]);
});

test('the payment page asks nothing while it waits, is updated by its stream, and asks slowly where there is none', async ({
  page,
  merchant,
  payerPays,
}) => {
  const charge = await merchant.createCharge({ amount: 10 });
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, procedure] = /^\/api\/trpc\/(.*)$/.exec(new URL(request.url()).pathname) ?? [];
    if (procedure) asked.push(procedure);
  });
  await page.clock.install();
  // On a busy machine the stream may begin late: the page polls until then.
  await expect(async () => {
    asked.length = 0;
    await page.goto(`/pay/${charge.id}`);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.clock.runFor(20_000);
    expect(asked).toEqual(['payment.follow']);
  }).toPass();

  // A hidden tab holds no stream; one that is visible again begins with what it missed.
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('payment.follow'));
  await setVisibility(page, 'hidden');
  await closed;
  await payerPays(charge);
  await page.clock.runFor(20_000);
  await expect(page.getByText('Aguardando pagamento').first()).toBeVisible();
  expect(asked).toEqual(['payment.follow']);
  await setVisibility(page, 'visible');
  await expect(page.getByText('Pagamento confirmado').first()).toBeVisible();
  expect(asked).toEqual(['payment.follow', 'payment.follow']);

  const other = await merchant.createCharge({ amount: 10 });
  await page.route('**/api/trpc/payment.follow*', (route) => route.fulfill({ status: 503 }));
  await page.goto(`/pay/${other.id}`);
  await expect(page.getByText('Aguardando pagamento').first()).toBeVisible();
  await payerPays(other);
  asked.length = 0;
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(page.getByText('Pagamento confirmado').first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(asked).toContain('payment.get');
});

test('without JavaScript the payer sees what to pay, how, and the outcome', async ({
  browser,
  merchant,
  payerPays,
  timeRunsOut,
  baseURL,
}) => {
  const plain = { baseURL: baseURL ?? '', javaScriptEnabled: false };
  const context = await browser.newContext({ ...plain, locale: 'pt-BR', viewport: PHONE });
  const page = await context.newPage();
  const charge = await merchant.createCharge({ amount: 1234.5, description: 'Pedido 42, com entrega. '.repeat(9) });
  const becomes = (id: string, status: string) =>
    expect.poll(async () => (await merchant.get(`/payments/transactions/${id}`)).status).toBe(status);

  await page.goto(`/pay/${charge.id}`);
  await expect(page).toHaveTitle('Pagar R$\u00a01.234,50 · Padaria São José');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Padaria São José');
  await expect(page.getByText('R$\u00a01.234,50').first()).toBeVisible();
  await expect(page.getByText('Aguardando pagamento')).toBeVisible();
  // An instant, because there is no countdown without JavaScript.
  await expect(page.getByText(/Expira em \d\d\/\d\d\/\d{4} \d\d:\d\d \(horário de Brasília\)/)).toBeVisible();
  await expect(page.getByText(/Expira em \d\d:\d\d/)).toBeHidden();
  await expect(page.locator('code').first()).toHaveText(charge.brCode);
  const qr = page.getByRole('img', { name: 'QR code do PIX de R$\u00a01.234,50 para Padaria São José' });
  await expect(qr).toBeVisible();
  const modules = await qr.locator('path').last().getAttribute('d');
  expect(modules?.length).toBeGreaterThan(1_000);
  // Buttons that would do nothing are not shown, and the text that one would unfold is complete.
  await expect(page.getByRole('button').locator('visible=true')).toHaveCount(0);
  expect(await isCut(page.getByText('Pedido 42, com entrega'))).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);

  await payerPays(charge);
  await becomes(charge.id, 'paid');
  await page.getByRole('link', { name: 'Atualizar a página' }).click();
  await expect(page.getByText('Pagamento confirmado')).toBeVisible();
  await expect(page).toHaveTitle('Pagamento confirmado · Padaria São José');
  await expect(page.getByRole('link')).toHaveCount(0);
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0);

  const late = await merchant.createCharge({ amount: 10 });
  await timeRunsOut(late);
  await becomes(late.id, 'expired');
  await page.goto(`/pay/${late.id}`);
  await expect(page.getByText('Cobrança expirada')).toBeVisible();

  const wrong = await merchant.createCharge({ amount: 10 });
  await payerPays(wrong, { amount: '9.99' });
  await becomes(wrong.id, 'review');
  await page.goto(`/pay/${wrong.id}`);
  await expect(page.getByText('Pagamento em análise')).toBeVisible();

  for (const id of ['01a1fc74-0489-79b5-9c67-000000000000', 'nonsense']) {
    await page.goto(`/pay/${id}`);
    await expect(page).toHaveTitle('Cobrança não encontrada');
    await expect(page.getByRole('heading', { name: 'Cobrança não encontrada' })).toBeVisible();
  }

  const invoice = await merchant.createInvoice({ amount: 540 });
  const english = await browser.newContext({ ...plain, locale: 'en-US' });
  const abroad = await english.newPage();
  await abroad.goto(`/pay/${invoice.id}`);
  await expect(abroad.locator('html')).toHaveAttribute('lang', 'en');
  await expect(abroad.getByText('Send only USDT over the BNB Smart Chain (BEP20) network.')).toBeVisible();
  await expect(abroad.getByText(invoice.wallet)).toBeVisible();
  await expect(abroad.getByText('100 USDT').first()).toBeVisible();
  await expect(abroad.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expect(abroad.getByRole('link', { name: 'Reload the page' })).toBeVisible();
  await Promise.all([context.close(), english.close()]);
});

test('the page says that a charge is expired', async ({ page, merchant, timeRunsOut }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  await page.goto(`/pay/${charge.id}`);
  await expect(page.getByText('Aguardando pagamento').first()).toBeVisible();
  await timeRunsOut(charge);
  await expect(page.getByText('Cobrança expirada').first()).toBeVisible();
});

test('another amount than the charge’s is not called paid', async ({ page, merchant, payerPays }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  await page.goto(`/pay/${charge.id}`);
  await payerPays(charge, { amount: '9.99' });
  await expect(page.getByText('Pagamento em análise').first()).toBeVisible();
});

test('the page of an unknown charge or a malformed address says that there is no such charge', async ({ page }) => {
  for (const id of ['01a1fc74-0489-79b5-9c67-000000000000', 'nonsense']) {
    expect((await page.goto(`/pay/${id}`))?.status()).toBe(404);
    await expect(page.getByText('Cobrança não encontrada').first()).toBeVisible();
  }
  // The tab of an address that no page has says so as well.
  expect((await page.goto('/nonsense'))?.status()).toBe(404);
  await expect(page).toHaveTitle('Página não encontrada · Trilho');
});

test('on a phone the time that is left begins below the first letter of the state', async ({ page, merchant }) => {
  await page.setViewportSize(PHONE);
  const charge = await merchant.createCharge({ amount: 10 });
  await page.goto(`/pay/${charge.id}`);
  const left = async (text: string | RegExp) => {
    const box = await page.getByText(text).last().boundingBox();
    return Math.round(box?.x ?? Number.NaN);
  };
  await expect(page.getByText(/^Expira em \d{2}:/)).toBeVisible();
  expect(await left(/^Expira em/)).toBe(await left('Aguardando pagamento'));
});

test.describe('in English', () => {
  test.use({ locale: 'en-US' });
  test('the page follows the browser’s language', async ({ page, merchant }) => {
    const charge = await merchant.createCharge({ amount: 10 });
    await page.goto(`/pay/${charge.id}`);
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/);
    await expect(page.getByRole('button', { name: /Copy/ })).toBeVisible();
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`on a phone, ${colorScheme}`, () => {
    test.use({ viewport: PHONE, colorScheme });

    test('axe finds nothing serious on the page of a pending, a paid or an unknown charge, and long texts can be read whole', async ({
      page,
      merchant,
      payerPays,
    }) => {
      const charge = await merchant.createCharge({
        amount: 10,
        description: 'Pedido 7, com entrega em casa. '.repeat(9),
      });
      await page.goto(`/pay/${charge.id}`);
      const copy = page.getByRole('button', { name: 'Copiar código PIX' });
      await expect(copy).toBeInViewport();
      expect(await seriousViolations(page)).toEqual([]);
      // Nothing hovers on a phone: a button shows a text that is cut, and the merchant's name is
      // never cut.
      const description = page.getByText('Pedido 7, com entrega');
      expect(await isCut(description)).toBe(true);
      await page.getByRole('button', { name: 'Ver o texto todo' }).click();
      expect(await isCut(description)).toBe(false);
      const name = page.getByRole('heading', { level: 1 }).locator('span').last();
      await name.evaluate((element) => element.append(' & Filhos'.repeat(20)));
      expect(await isCut(name)).toBe(false);
      await payerPays(charge);
      await expect(page.getByText('Pagamento confirmado').first()).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);
      await page.goto('/pay/nonsense');
      expect(await seriousViolations(page)).toEqual([]);
    });
  });
}

test('the code can be copied with the keyboard alone', async ({ page, merchant }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  await page.goto(`/pay/${charge.id}`);
  const copy = page.getByRole('button', { name: 'Copiar código PIX' });
  await page.locator('html[data-interactive]').waitFor({ state: 'attached' });
  for (
    let presses = 0;
    presses < 10 && !(await copy.evaluate((button) => button === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(charge.brCode);
});

test('no script runs without the page’s nonce, and the page can’t be framed', async ({ page, merchant }) => {
  const violations: string[] = [];
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && violations.push(message.text()),
  );
  const charge = await merchant.createCharge({ amount: 10, description: '<img src=x onerror=alert(1)>' });
  const response = await page.goto(`/pay/${charge.id}`);
  expect(response?.headers()['content-security-policy']).toMatch(
    /script-src 'self' 'nonce-[^']+'.*frame-ancestors 'none'/,
  );
  await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  expect(violations).toEqual([]);
});

/** Notifies a page, as the browser does, that its tab is hidden or visible again. */
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
