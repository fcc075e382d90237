import type { Page } from '@playwright/test';
import { expect, signOutAtOnce, test, untilSendable } from './fixtures.ts';
import { cuttableLine } from './service-behind-cut.ts';

const OUTDATED = 'O Trilho foi atualizado. Recarregue a página para continuar; o que você digitou fica guardado.';

const AWAY = 'O servidor não está respondendo. Tentamos de novo sozinhos; o que você digitou fica guardado.';

test('while the server is away links, rows and parts wait, nothing typed is lost, and everything continues by itself', async ({
  page,
  shop,
  baseURL,
}) => {
  const line = await cuttableLine(baseURL ?? '');
  await shop.earns(100);
  const notice = page.getByText(AWAY);
  const menuLink = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first();

  // A link of the menu, from a form: the browser's own error page would lose both.
  await page.goto(`${line.url}/test/sacar`);
  await page.getByLabel('Chave PIX de quem recebe').fill('maria@example.com');
  await page.getByLabel('Quanto enviar').fill('12,34');
  await line.cut();
  await menuLink('Extrato').click();
  await expect(notice).toBeVisible();
  await expect(page).toHaveURL(`${line.url}/test/sacar`);
  await expect(page.getByLabel('Chave PIX de quem recebe')).toHaveValue('maria@example.com');
  await page.getByLabel('Chave PIX de quem recebe').fill('ana@example.com');
  await line.mend();
  await expect(page.getByRole('heading', { level: 1, name: 'Extrato' })).toBeVisible();
  await expect(notice).toBeHidden();
  await menuLink('Sacar').click();
  await expect(page.getByLabel('Chave PIX de quem recebe')).toHaveValue('ana@example.com');
  await expect(page.getByLabel('Quanto enviar')).toHaveValue(/12,34/);

  // A row whose details are loaded later, and a menu whose code is.
  await menuLink('Transações').click();
  await expect(page.getByText('R$ 100,00').first()).toBeVisible();
  await line.cut();
  await page.getByRole('row').filter({ hasText: 'R$ 100,00' }).getByRole('link').first().click();
  await expect(notice).toBeVisible();
  await line.mend();
  const details = page.getByRole('dialog');
  await expect(details.getByText('R$ 100,00').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await line.cut();
  await page.getByRole('button', { name: 'Sua conta' }).click();
  await expect(notice).toBeVisible();
  await line.mend();
  await expect(page.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
  // The bar has no room for a long name on a phone: the menu shows all of it.
  await expect(page.getByRole('menu').getByText(shop.name)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('A falha é nossa')).toHaveCount(0);

  // A page that reads while the server is away says so, and reads when it is there again.
  await page.goto(`${line.url}/test/limites`);
  await expect(page.getByRole('heading', { name: 'Taxas', exact: true })).toBeVisible();
  await menuLink('Chaves de API').hover();
  await expect(page.getByRole('heading', { level: 1, name: 'Limites e taxas' })).toBeVisible();
  await line.cut();
  await menuLink('Chaves de API').click();
  await expect(notice).toBeVisible();
  await line.mend();
  await expect(page.getByRole('heading', { level: 1, name: 'Chaves de API' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nova chave' }).first()).toBeVisible();

  // Signing out waits too, and drops what was typed in this tab.
  await line.cut();
  await page.getByRole('button', { name: 'Sua conta' }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await expect(notice).toBeVisible();
  await line.mend();
  await expect(page).toHaveURL(`${line.url}/entrar`);
  expect(await keptIn(page)).toEqual([]);
  await page.goto(`${line.url}/test/sacar`);
  await expect(page).toHaveURL(/\/entrar/);
  await line.cut();
});

test('after a deploy under an open tab the page offers to reload, and drafts and refunds survive it', async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 100 });
  await shop.pays(id);
  await shop.open('/cobrar');
  await page.getByLabel('Valor em reais').fill('77,70');
  await page.getByLabel('Descrição (opcional)').fill('Pedido 42');

  // The chunks of this tab's version are gone.
  await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.getByRole('button', { name: 'Sua conta' }).click();
  await expect(page.getByText(OUTDATED)).toBeVisible();
  await expect(page.getByLabel('Descrição (opcional)')).toHaveValue('Pedido 42');
  await page.unroute('**/_next/static/**');
  await page.getByRole('button', { name: 'Recarregar' }).click();
  await expect(page.getByLabel('Descrição (opcional)')).toHaveValue('Pedido 42');
  await expect(page.getByLabel('Valor em reais')).toHaveValue(/77,70/);
  // In another mode, which is another account, there is no such draft.
  await shop.open('/cobrar', 'live');
  await expect(page.getByLabel('Descrição (opcional)')).toHaveValue('');

  // There is one refund, although its answer is lost, the page is reloaded and it is requested
  // again.
  let lost = 0;
  await page.route('**/transactions.refund**', async (route) => {
    const response = await route.fetch();
    if (response.ok() && lost++ === 0) await route.abort();
    else await route.fulfill({ response });
  });
  await shop.open(`/transacoes/${id}`);
  await page.getByRole('button', { name: 'Estornar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Estornar cobrança' });
  await dialog.getByText('Uma parte').click();
  await dialog.getByLabel('Valor a estornar').fill('40');
  await dialog.getByRole('button', { name: 'Estornar' }).click();
  await shop.confirms();
  await expect(dialog.getByText('Não sabemos se o pedido chegou.')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Estornar' }).click();
  await expect(dialog.getByText('Não sabemos se o pedido chegou.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Estornar' }).click();
  await expect(page.getByText('Estorno de R$ 40,00 pedido.')).toBeVisible();
  const { body } = await shop.get(`/payments/transactions/${id}`);
  expect((body.data as { refunds: object[] }).refunds).toHaveLength(1);

  // A page that has all of its code calls a service of another build, which no longer has the
  // procedure.
  await shop.open('/seguranca');
  const build = await page.locator('html').getAttribute('data-build');
  await page.route('**/api/trpc/test/people.**', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('people.invite', 'people.welcome') });
    expect(response.headers()['x-trilho-build']).toBe(build);
    await route.fulfill({ response, headers: { ...response.headers(), 'x-trilho-build': 'of the next version' } });
  });
  await expect(page.getByText(OUTDATED)).toBeHidden();
  const invited = page.getByLabel('E-mail de quem será convidado');
  await invited.fill('ana@example.com');
  await page.getByRole('button', { name: 'Convidar' }).click();
  const offer = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Recarregar' }) });
  await expect(offer.getByText(OUTDATED)).toBeVisible();
  await expect(page.getByRole('alert').getByText(OUTDATED)).toBeVisible();
  await expect(page.getByText('A falha é nossa')).toHaveCount(0);
  await page.unroute('**/api/trpc/test/people.**');
  await offer.getByRole('button', { name: 'Recarregar' }).click();
  await expect(invited).toHaveValue('ana@example.com');
  await expect(offer).toBeHidden();
});

test('what is typed into any form survives a reload, until it is handed in, given up, or its member is gone', async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 50 });
  await shop.pays(id);

  // The drafts of forms in dialogs end when the form is cancelled.
  await shop.open('/chaves');
  const key = page.getByRole('dialog', { name: 'Nova chave' });
  const openKey = () => page.getByRole('button', { name: 'Nova chave' }).click();
  await openKey();
  await key.getByLabel('Nome').fill('Loja virtual');
  await key.getByLabel('Ver saldo').uncheck();
  await key.getByLabel('Endereços IP').fill('203.0.113.7');
  await page.keyboard.press('Enter');
  await key.getByLabel('Validade').selectOption('90 dias');
  await page.reload();
  await openKey();
  await expect(key.getByLabel('Nome')).toHaveValue('Loja virtual');
  await expect(key.getByLabel('Ver saldo')).not.toBeChecked();
  await expect(key.getByLabel('Cobrar')).toBeChecked();
  await expect(key.getByText('203.0.113.7', { exact: true })).toBeVisible();
  await expect(key.getByLabel('Validade')).toHaveValue('90');
  await key.getByRole('button', { name: 'Cancelar' }).click();
  await expect(key).toBeHidden();
  expect(await keptIn(page)).toEqual([]);
  await openKey();
  await expect(key.getByLabel('Nome')).toHaveValue('');

  await shop.open('/webhooks');
  const openUrl = () => page.getByRole('button', { name: 'Adicionar URL: Depósitos PIX' }).click();
  const url = page.getByLabel('URL para Depósitos PIX');
  await openUrl();
  await url.fill('https://loja.example/webhooks');
  await page.reload();
  await openUrl();
  await expect(url).toHaveValue('https://loja.example/webhooks');
  await url.fill('https://maria:segredo@loja.example/webhooks');
  expect(await keptIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancelar' }).click();

  await shop.open(`/transacoes/${id}`);
  const refund = page.getByRole('dialog', { name: 'Estornar cobrança' });
  const openRefund = () => page.getByRole('button', { name: 'Estornar' }).click();
  await openRefund();
  await refund.getByText('Uma parte').click();
  await refund.getByLabel('Valor a estornar').fill('12,34');
  await page.reload();
  await openRefund();
  await expect(refund.getByLabel('Valor a estornar')).toHaveValue(/12,34/);
  await refund.getByRole('button', { name: 'Voltar' }).click();
  expect(await keptIn(page)).toEqual([]);

  // The draft of a form ends when it is submitted.
  await shop.open('/seguranca');
  const invited = page.getByLabel('E-mail de quem será convidado');
  await invited.fill('ana@example.com');
  await page.reload();
  await expect(invited).toHaveValue('ana@example.com');
  await page.getByRole('button', { name: 'Convidar' }).click();
  await shop.confirms();
  await expect(page.getByText('Convite enviado.', { exact: true })).toBeVisible();
  await expect(invited).toHaveValue('');
  expect(await keptIn(page)).toEqual([]);

  // Before the sign-in only the e-mail is kept, from page to page.
  await invited.fill('bia@example.com');
  await signOutAtOnce(page);
  await page.goto('/entrar');
  await untilSendable(page);
  await page.getByLabel('E-mail').fill(shop.email);
  await page.getByLabel('Senha', { exact: true }).fill(shop.password);
  await page.reload();
  await expect(page.getByLabel('E-mail')).toHaveValue(shop.email);
  await expect(page.getByLabel('Senha', { exact: true })).toHaveValue('');
  for (const [link, heading] of [
    ['Esqueci a senha', 'Crie uma nova senha'],
    ['Voltar', 'Entre na sua conta'],
    ['Criar conta', 'Crie sua conta'],
    ['Entrar', 'Entre na sua conta'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect(page.getByLabel('E-mail')).toHaveValue(shop.email);
  }
  expect(JSON.stringify(await page.evaluate(() => ({ ...sessionStorage })))).not.toContain(shop.password);
  await page.getByLabel('Senha', { exact: true }).fill(shop.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/inicio/);
  // The same member is back: their draft is still there, and the sign-in's draft is gone.
  await expect.poll(() => keptIn(page)).toEqual([expect.stringContaining('invitation')]);
  await page.getByRole('button', { name: 'Sua conta' }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL(/\/entrar/);
  expect(await keptIn(page)).toEqual([]);
});

const keptIn = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('trilho.kept')));
