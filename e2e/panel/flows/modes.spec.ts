import { expect, signOutAtOnce, test, untilSendable } from '../fixtures.ts';

test('live and test are apart: the bar says which it is, and neither shows the other’s transactions', async ({
  page,
  shop,
}) => {
  await shop.createCharge({ amount: 12.34, description: 'Só de teste' });

  await shop.open('/transacoes', 'test');
  await expect(page.getByText('Modo teste: sem dinheiro real')).toBeVisible();
  await expect(page.getByText('R$ 12,34').first()).toBeVisible();

  await page.getByRole('radiogroup', { name: 'Modo' }).getByText('Produção').click();
  await expect(page).toHaveURL(/\/live\/transacoes/);
  await expect(page.getByText('Modo teste: sem dinheiro real')).toBeHidden();
  await expect(page.getByText('R$ 12,34')).toHaveCount(0);
  // The first steps are taken in test mode, where payments are simulated, and count in both.
  await shop.open('/comecar', 'live');
  await expect(page.getByText('2 de 4 passos feitos')).toBeVisible();
  await page.getByRole('link', { name: 'Fazer no modo teste' }).click();
  await expect(page).toHaveURL(/\/test\/comecar$/);
  await expect(page.getByText('2 de 4 passos feitos')).toBeVisible();
  await shop.open('/inicio', 'live');
  await expect(page.getByRole('link', { name: 'Ver os primeiros passos' })).toHaveAttribute('href', '/test/comecar');

  await page.getByRole('radiogroup', { name: 'Modo' }).getByText('Teste').click();
  await expect(page.getByText('R$ 12,34').first()).toBeVisible();
});

test('a page that needs a sign-in asks for it, and is opened after it', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  await shop.open('/transacoes?status=paid');
  await signOutAtOnce(page);
  await page.goto('/test/transacoes?status=paid');
  await expect(page.getByRole('heading', { name: 'Entre na sua conta' })).toBeVisible();
  await page.getByLabel('E-mail').fill(shop.email);
  await page.getByLabel('Senha', { exact: true }).fill('errada, de propósito');
  await untilSendable(page);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'E-mail ou senha incorretos.' })).toBeVisible();
  await page.getByLabel('Senha', { exact: true }).fill(shop.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/test\/transacoes\?status=paid/);
});

test('an action whose session has ended leaves for the sign-in, which leads back', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  // A form that shows its own errors, and one of the sign-in's.
  for (const [path, fill, button] of [
    [
      '/test/cobrar',
      async () => {
        await page.getByLabel('Valor em reais').fill('100,50');
        await expect(page.getByRole('region', { name: 'Resumo' })).toContainText('Você recebeR$ 99,39');
      },
      'Cobrar R$ 100,50',
    ],
    [
      '/test/seguranca',
      async () => {
        await page.getByLabel('Senha atual').fill(shop.password);
        await page.getByLabel('Nova senha').fill(`${shop.password}, nunca`);
      },
      'Trocar a senha',
    ],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('html[data-interactive]')).toBeAttached();
    await fill();
    await page.context().clearCookies({ name: 'trilho.session_token' });
    await page.getByRole('button', { name: button }).click();
    await expect(page).toHaveURL(`/entrar?next=${encodeURIComponent(path)}`);
    await page.getByLabel('E-mail').fill(shop.email);
    await page.getByLabel('Senha', { exact: true }).fill(shop.password);
    await untilSendable(page);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(path);
  }
});

test('a link can’t lead a member away from here after signing in', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  await signOutAtOnce(page);
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aevil']) {
    await page.goto(`/entrar?next=${encodeURIComponent(next)}`);
    await page.getByLabel('E-mail').fill(shop.email);
    await page.getByLabel('Senha', { exact: true }).fill(shop.password);
    await untilSendable(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Entre na sua conta');
    expect(new URL(page.url()).host).toBe(new URL(test.info().project.use.baseURL ?? '').host);
    await signOutAtOnce(page);
  }
});
