import { execFileSync } from 'node:child_process';
import { banner } from '../../../src/banner.ts';
import { operatorJson } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

const PASSWORD = 'uma frase que ninguém adivinha';

test.use({ locale: 'pt-BR' });

test('from sign-up to the first paid charge and its webhook', async ({
  page,
  mailbox,
  receiver,
  payerPays,
  baseURL,
}) => {
  const email = `novo-${Date.now()}@example.com`;

  // The visitor signs up.
  await page.goto('/');
  await page.getByRole('link', { name: 'Criar conta' }).click();
  await expect(page.getByText('fica na pasta mail')).toBeVisible();
  await page.getByLabel('Nome do negócio').fill('Café da Esquina');
  await page.getByLabel('CPF ou CNPJ').fill('123.456.789-09');
  await page.getByLabel('Seu nome').fill('Maria da Silva');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByRole('heading', { name: 'Confira seu e-mail' })).toBeVisible();

  // The link in the message shows what it opens; with her password she is in, at the checklist.
  const { pathname, search } = new URL(await mailbox.link(email));
  await page.goto(`${baseURL}${pathname}${search}`);
  await expect(page.getByRole('definition').filter({ hasText: 'Café da Esquina' })).toBeVisible();
  await page.getByLabel('Senha', { exact: true }).fill('cafedaesquina');
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await expect(page.getByText('Não use seu e-mail')).toBeVisible();
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Primeiros passos' })).toBeVisible();
  await expect(page.getByText('0 de 4 passos feitos')).toBeVisible();

  // Her system wants to hear of payments.
  await page.goto('/test/webhooks');
  await page.getByRole('button', { name: 'Adicionar URL: Depósitos PIX' }).click();
  await page.getByLabel('URL para Depósitos PIX').fill(receiver.url);
  await page.getByRole('button', { name: 'Salvar' }).click();
  const question = page.getByRole('dialog', { name: 'Confirme que é você' });
  await question.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Depósitos PIX: destino salvo.')).toBeVisible();

  // She makes a charge, and her customer pays it.
  await page.goto('/test/comecar');
  await page.getByRole('link', { name: 'Nova cobrança' }).last().click();
  await page.getByLabel('Valor em reais').fill('100,50');
  await page.getByRole('button', { name: 'Cobrar R$ 100,50' }).click();
  await expect(page.getByRole('heading', { name: 'Cobrança criada' })).toBeVisible();
  const link = await page.getByRole('link', { name: 'Abrir a página' }).getAttribute('href');
  const id = link?.split('/pay/')[1] ?? '';
  await payerPays({ id });

  // The page says so by itself, the webhook arrives, and the checklist knows.
  await expect(page.getByText('paga', { exact: true }).first()).toBeVisible();
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).type)).toContain('pix_in.paid');
  await page.goto('/test/comecar');
  await expect(page.getByText('3 de 4 passos feitos')).toBeVisible();
});

test('the printed login and command lead to one account: the charge appears before the eyes of who pasted it', async ({
  page,
  baseURL,
}) => {
  const login = (await operatorJson('demo')) as {
    email: string;
    password: string;
    api_key: string;
    account_id: string;
  };
  await page.goto('/');
  await page.getByLabel('E-mail').fill(login.email);
  await page.getByLabel('Senha', { exact: true }).fill(login.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Início' })).toBeVisible();
  // Four weeks of history are there.
  await expect(page.getByRole('link', { name: 'Ver todas' })).toBeVisible();

  // Told apart from what was there before, and from the same command of another browser.
  const order = `Pedido ${Date.now()}`;
  const [, command = ''] = /(curl -s[\s\S]+?}')/.exec(banner({ publicUrl: baseURL ?? '', role: 'all', login })) ?? [];
  execFileSync('sh', ['-c', command.replace('Pedido 42', order)]);
  await expect(page.getByText(order).first()).toBeVisible();
});
