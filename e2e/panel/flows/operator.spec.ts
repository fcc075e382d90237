import type { Page } from '@playwright/test';
import { operator, operatorJson } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

/** Signs a new operator in to the console; `code` gives the next code of their authenticator. */
async function signIn(page: Page): Promise<{ email: string }> {
  const email = `operadora-${Date.now()}-${test.info().workerIndex}@trilho.example`;
  const login = await operatorJson('operator', 'create', email, '--name', 'Ana');
  await page.goto('/operator');
  await expect(page).toHaveURL(/\/operator\/entrar$/);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(login.password ?? '');
  const code = (await operator('operator', 'code', email)).trim();
  await page.getByLabel('Código do aplicativo autenticador').fill(code);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Visão geral' })).toBeVisible();
  return { email };
}

test('an operator suspends an account, whose key is rejected and whose people read why, and resumes it', async ({
  page,
  shop,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: page.viewportSize(), baseURL: baseURL ?? '' });
  const console = await context.newPage();
  await signIn(console);
  await console.goto('/operator/contas');
  await console.getByLabel('Nome, e-mail ou identificador').fill(shop.accountId);
  await expect(console.getByRole('link', { name: shop.name })).toHaveCount(1);
  await console.getByRole('link', { name: shop.name }).click();
  await expect(console.getByText(shop.email).first()).toBeVisible();
  await console.getByRole('button', { name: 'Suspender' }).click();
  const dialog = console.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Suspender' }).click();
  await expect(dialog.getByText('Escreva por quê.')).toBeVisible();
  await dialog.getByLabel('Motivo').fill('Denúncia em apuração');
  await dialog.getByRole('button', { name: 'Suspender' }).click();
  await expect(console.getByText('Conta suspensa.')).toBeVisible();
  await expect.poll(async () => (await shop.get('/payments/balance')).status).toBe(403);
  await shop.open('/inicio');
  await expect(page.getByText('Denúncia em apuração')).toBeVisible();
  await console.getByRole('button', { name: 'Reativar' }).click();
  await expect(console.getByText('Conta reativada.')).toBeVisible();
  await expect.poll(async () => (await shop.get('/payments/balance')).status).toBe(200);
  await context.close();
});

test('a member’s session opens nothing of the console', { tag: '@width-independent' }, async ({ page, shop }) => {
  await shop.open('/inicio');
  await page.goto('/operator/contas');
  await expect(page).toHaveURL(/\/operator\/entrar$/);
  expect((await page.request.get('/operator/api/trpc/accounts.find?input=%7B%7D')).status()).toBe(401);
});
