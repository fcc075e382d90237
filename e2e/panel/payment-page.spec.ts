import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { seriousFaults } from './accessibility.ts';

const PHONE = { width: 390, height: 844 };

test.use({ locale: 'pt-BR', permissions: ['clipboard-read', 'clipboard-write'] });

test('the payer copies the code, pays, and the page turns to paid by itself', async ({ page, merchant, payerPays }) => {
  const charge = await merchant.createCharge({ amount: 1234.5, description: 'Pedido 42' });
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
  await expect(page.getByText('Pagamento em conferência').first()).toBeVisible();
});

test('an unknown charge and a malformed address are told, not broken', async ({ page }) => {
  for (const id of ['01a1fc74-0489-79b5-9c67-000000000000', 'nonsense']) {
    await page.goto(`/pay/${id}`);
    await expect(page.getByText('Cobrança não encontrada').first()).toBeVisible();
  }
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

    test('in any state the page has nothing serious for a screen reader to stumble over, and long texts can be read whole', async ({
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
      expect(await seriousFaults(page)).toEqual([]);
      // Where nothing hovers, what is cut has to be shown on demand, and whom one pays is never
      // cut.
      const description = page.getByText('Pedido 7, com entrega');
      expect(await isCut(description)).toBe(true);
      await page.getByRole('button', { name: 'Ver o texto todo' }).click();
      expect(await isCut(description)).toBe(false);
      const name = page.getByRole('heading', { level: 1 }).locator('span').last();
      await name.evaluate((element) => element.append(' & Filhos'.repeat(20)));
      expect(await isCut(name)).toBe(false);
      await payerPays(charge);
      await expect(page.getByText('Pagamento confirmado').first()).toBeVisible();
      expect(await seriousFaults(page)).toEqual([]);
      await page.goto('/pay/nonsense');
      expect(await seriousFaults(page)).toEqual([]);
    });
  });
}

test('the code can be copied with the keyboard alone', async ({ page, merchant }) => {
  const charge = await merchant.createCharge({ amount: 10 });
  await page.goto(`/pay/${charge.id}`);
  const copy = page.getByRole('button', { name: 'Copiar código PIX' });
  await expect(copy).toBeVisible();
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

test('no script runs without the page’s nonce, and nobody may frame the page', async ({ page, merchant }) => {
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

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
