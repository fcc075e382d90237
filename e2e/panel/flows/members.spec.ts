import { operator, operatorJson } from '../../fixtures.ts';
import { expect, test, untilSendable, waitUntilUsable } from '../fixtures.ts';

test('an invited person signs in, does what their role may, and finds nothing of what it may not', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, mailbox, browser, text, formats }) => {
  const email = `atendente-${Date.now()}-${test.info().workerIndex}@example.com`;
  const name = 'Bia Prado';
  await shop.open('/seguranca');
  await page.getByLabel(text('E-mail de quem será convidado')).fill(email);
  await page.getByLabel(text('O que pode fazer')).selectOption(text('Atendimento'));
  await page.getByRole('button', { name: text('Convidar'), exact: true }).click();
  await shop.confirms();
  await expect(page.getByText(email).first()).toBeVisible();

  const context = await browser.newContext();
  context.on('page', waitUntilUsable);
  const theirs = await context.newPage();
  const link = new URL(await mailbox.link(email));
  await theirs.goto(link.pathname + link.search);
  await expect(theirs.getByText(text('Atendimento'))).toBeVisible();
  await untilSendable(theirs);
  await theirs.getByLabel(text('Seu nome')).fill(name);
  await theirs.getByLabel(text('Senha'), { exact: true }).fill('outra frase que ninguém adivinha');
  await theirs.getByRole('button', { name: text('Aceitar e entrar') }).click();
  await theirs.waitForURL(/\/inicio/);

  // The role may create a charge. Links and pages that it may not use do not exist for it.
  await expect(theirs.getByRole('link', { name: text('Sacar') })).toHaveCount(0);
  await theirs.goto('/test/cobrar');
  await theirs.getByLabel(text('Valor em reais')).fill(formats.typedReais(12));
  const charge = text('Cobrar {amount}', { amount: formats.reais(12) }, 'panel.newCharge');
  await theirs.getByRole('button', { name: charge }).click();
  await expect(theirs.getByRole('heading', { name: text('Cobrança criada') })).toBeVisible();
  const refused = await theirs.goto('/test/sacar');
  expect(refused?.status()).toBe(404);
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(text('Página não encontrada'));
  const nowhere = await theirs.goto('/test/nao-ha-nada');
  expect(nowhere?.status()).toBe(404);
  await expect(theirs).toHaveTitle(`${text('Página não encontrada')} · Trilho`);
  // Either says so inside the panel, which leads on.
  await theirs
    .getByRole('link', { name: text('Transações', {}, 'panel.shell'), exact: true })
    .first()
    .click();
  await theirs.waitForURL(/\/test\/transacoes/);

  // Another role applies at once; a person who is removed is signed out at once.
  await shop.open('/seguranca');
  const menu = page.getByRole('button', { name: text('Ações: {name}', { name }) });
  await menu.click();
  await page.getByRole('menuitem', { name: text('Mudar o que pode fazer') }).click();
  await page.getByRole('radio', { name: text('Financeiro') }).check();
  await page.getByRole('button', { name: text('Mudar'), exact: true }).click();
  await expect(page.getByText(text('Pronto: mudou o que {name} pode fazer.', { name }))).toBeVisible();
  expect((await theirs.goto('/test/sacar'))?.status()).toBe(200);
  await menu.click();
  await page.getByRole('menuitem', { name: text('Remover do negócio') }).click();
  await page.getByRole('button', { name: text('Remover'), exact: true }).click();
  await expect(page.getByText(text('{name} não entra mais neste negócio.', { name }))).toBeVisible();
  await expect(menu).toBeHidden();
  await expect(page.locator('body'), 'the keyboard goes on in the page').not.toBeFocused();
  await theirs.goto('/test/inicio');
  await expect(theirs).toHaveURL(/\/entrar/);
  await context.close();
});

test('a person of two businesses chooses one in their menu', { tag: '@width-independent' }, async ({
  page,
  shop,
  mailbox,
}) => {
  const { account_id: merchant = '' } = await operatorJson(
    ...['account', 'create', '--name', 'Livraria Nova', '--email', `livraria-${Date.now()}@example.com`],
    ...['--document', '12345678909', '--kyc', 'approved', '--mode', 'test'],
  );
  await operator('member', 'invite', shop.email, '--merchant', merchant, '--role', 'finance');
  await expect.poll(() => mailbox.newest(shop.email)).toContain('Livraria Nova');
  const link = new URL(await mailbox.link(shop.email));
  await page.goto(link.pathname + link.search);
  await expect(page.getByText('Sua senha continua a mesma')).toBeVisible();
  await page.getByRole('button', { name: 'Aceitar e entrar' }).click();
  await page.waitForURL(/\/inicio/);
  const other = await page.context().newPage();
  await other.goto('/test/limites');
  await page.getByRole('button', { name: 'Sua conta' }).click();
  await page.getByRole('menuitem', { name: 'Livraria Nova' }).click();
  await expect(page.getByTitle('Livraria Nova')).toBeVisible();
  // Another tab, which shows the other business, leaves for the start page by itself: a click here
  // could come before that or after.
  await expect(other).toHaveURL(/\/inicio/);
  await expect(other.getByTitle('Livraria Nova')).toBeVisible();
  await page.goto('/test/seguranca');
  await expect(page.getByRole('heading', { name: 'Pessoas' })).toHaveCount(0);
});
