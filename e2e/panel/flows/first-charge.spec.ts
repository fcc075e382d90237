import { execFileSync } from 'node:child_process';
import { banner } from '../../../src/bootstrap/banner.ts';
import type { DemoLogins } from '../../../src/bootstrap/demo-logins.ts';
import { operatorJson } from '../../fixtures.ts';
import { expect, test, untilSendable } from '../fixtures.ts';

const PASSWORD = 'uma frase que ninguém adivinha';

/** A press of a button, of a link or of Enter is one click. */
const CLICKS_MAX = 8;

test('from sign-up to a paid charge with its webhook it is at most eight clicks, without a URL of one’s own', async ({
  page,
  mailbox,
  baseURL,
}) => {
  const email = `novo-${Date.now()}@example.com`;
  let clicks = 0;
  await page.exposeFunction('countClick', () => ++clicks);
  await page.addInitScript(() => {
    const count = (window as unknown as { countClick(): void }).countClick;
    addEventListener(
      'click',
      ({ isTrusted, target }) => {
        if (isTrusted && (target as Element).closest('a, button')) count();
      },
      true,
    );
  });

  // The visitor signs up.
  await page.goto('/');
  await page.getByRole('link', { name: 'Criar conta' }).click();
  await expect(page.getByText('fica na pasta mail')).toBeVisible();
  await page.getByLabel('Nome do negócio').fill('Café da Esquina');
  await page.getByLabel('CPF ou CNPJ').fill('123.456.789-09');
  await page.getByLabel('Seu nome').fill('Maria da Silva');
  await page.getByLabel('E-mail').fill(email);
  await untilSendable(page);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByRole('heading', { name: 'Confira seu e-mail' })).toBeVisible();

  // The link in the message is a click, too. It shows what it opens; a password leads to the
  // checklist.
  clicks++;
  const { pathname, search } = new URL(await mailbox.link(email));
  await page.goto(`${baseURL}${pathname}${search}`);
  await expect(page.getByRole('definition').filter({ hasText: 'Café da Esquina' })).toBeVisible();
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await untilSendable(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Primeiros passos' })).toBeVisible();
  await expect(page.getByText('0 de 4 passos feitos')).toBeVisible();

  // The steps of the checklist: a charge, its payment, and a webhook.
  await page.getByRole('button', { name: 'Criar uma de R$ 100,50' }).click();
  await page.getByRole('button', { name: 'Pagar como o cliente pagaria' }).click();
  await expect(page.getByText('2 de 4 passos feitos')).toBeVisible();
  await page.getByRole('button', { name: 'Receber aqui' }).click();
  await expect(page.getByText('assinatura confere')).toBeVisible();
  await expect(page.getByText('3 de 4 passos feitos')).toBeVisible();
  expect(clicks).toBeGreaterThan(5);
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

  // The webhook can be read here and on the page Webhooks.
  await page.getByText('Cobrança paga').click();
  await expect(page.getByText('webhook-signature')).toBeVisible();
  await expect(page.getByText('"type":"pix_in.paid"')).toBeVisible();
  await page.goto('/test/webhooks');
  await expect(page.getByRole('heading', { name: 'O que chegou ao receptor de teste' })).toBeVisible();
  await expect(page.getByText('Receptor de teste', { exact: true }).first()).toBeVisible();

  // The home page and the menu of every page lead to the checklist as long as a step is left.
  await page.goto('/test/inicio');
  await expect(page.getByText('3 de 4 passos feitos. A seguir: Conclua a verificação cadastral')).toBeVisible();
  await page.goto('/test/extrato');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const more = page.getByRole('button', { name: 'Mais', exact: true });
  const menu = page.getByRole('dialog', { name: 'Mais' });
  if (await more.isVisible()) {
    // The menu's code is loaded at the first press.
    await expect(async () => {
      if (!(await menu.isVisible())) await more.click();
      await expect(menu).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await menu.getByRole('link', { name: 'Primeiros passos' }).click();
  } else await page.getByRole('link', { name: 'Primeiros passos' }).click();
  await expect(page.getByText('3 de 4 passos feitos')).toBeVisible();
});

test('the printed login and command lead to one account, where the charge appears without a reload', {
  tag: '@width-independent',
}, async ({ page, baseURL }) => {
  const login = (await operatorJson('demo')) as unknown as DemoLogins;
  await page.goto('/');
  await page.getByLabel('E-mail').fill(login.email);
  await page.getByLabel('Senha', { exact: true }).fill(login.password);
  await untilSendable(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Início' })).toBeVisible();
  // Four weeks of history are there.
  await expect(page.getByRole('link', { name: 'Ver todas' })).toBeVisible();

  // The description distinguishes it from older charges, and from those of the same command in
  // another browser.
  const order = `Pedido ${Date.now()}`;
  const [, command = ''] =
    /(curl -s[\s\S]+?}')/.exec(banner({ publicUrl: baseURL ?? '', sandboxUrl: undefined, role: 'all', login })) ?? [];
  execFileSync('sh', ['-c', command.replace('Pedido 42', order)]);
  await expect(page.getByText(order).first()).toBeVisible();
});
