import { operator, putCallback, putUnmatched } from '../../fixtures.ts';
import { seriousViolations } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { cutTables, otherNames } from '../looks.ts';
import { DESKTOP, PHONE } from '../pages.ts';

test('an operator suspends an account, whose key is rejected and whose people read why, and resumes it', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, operatorPage: console, text }) => {
  await console.goto('/operator/contas');
  await console.getByLabel(text('Nome, e-mail ou identificador')).fill(shop.accountId);
  await expect(console.getByRole('link', { name: shop.name })).toHaveCount(1);
  await console.getByRole('link', { name: shop.name }).click();
  await expect(console.getByText(shop.email).first()).toBeVisible();
  await console.getByRole('button', { name: text('Suspender') }).click();
  const dialog = console.getByRole('dialog', { name: text('Suspender esta conta?') });
  await dialog.getByRole('button', { name: text('Suspender') }).click();
  await expect(dialog.getByText(text('Escreva por quê.'))).toBeVisible();
  await dialog.getByLabel(text('Motivo')).fill('Denúncia em apuração');
  await dialog.getByRole('button', { name: text('Suspender') }).click();
  await expect(console.getByText(text('Conta suspensa.'))).toBeVisible();
  await expect.poll(async () => (await shop.get('/payments/balance')).status).toBe(403);
  await shop.open('/inicio');
  await expect(page.getByText('Denúncia em apuração')).toBeVisible();
  await console.getByRole('button', { name: text('Reativar', {}, 'operator') }).click();
  await expect(console.getByText(text('Conta reativada.'))).toBeVisible();
  await expect.poll(async () => (await shop.get('/payments/balance')).status).toBe(200);
});

test('a payment of another amount waits for the operator, who credits it: the charge is paid', {
  tag: '@width-independent',
}, async ({ page, shop, operatorPage: console, payerPays }) => {
  const { id } = await shop.createCharge({ amount: 61.37 });
  await payerPays({ id }, { amount: '58.19' });
  await putUnmatched({ accountId: shop.accountId, centavos: 58_20 });
  await shop.open(`/transacoes/${id}`);
  // The merchant reads what was received.
  await expect(page.getByText('R$ 58,19').first()).toBeVisible();
  await console.goto('/operator/decisoes');
  const row = console.getByRole('row').filter({ hasText: 'R$ 58,19' }).filter({ hasText: shop.name });
  await expect(row).toContainText('valor diferente do cobrado, R$ 61,37');
  await row.getByRole('button', { name: 'Creditar' }).click();
  const dialog = console.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill('Combinado com o cliente');
  await dialog.getByRole('button', { name: 'Creditar' }).click();
  await expect(console.getByText('Decisão registrada.')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect
    .poll(async () => ((await shop.get(`/payments/transactions/${id}`)).body.data as { status: string }).status)
    .toBe('paid');

  // An account is named by its id: another text is said to be wrong, and nothing typed is lost.
  const unmatched = console.getByRole('row').filter({ hasText: 'R$ 58,20' });
  await unmatched.getByRole('button', { name: 'Creditar em uma conta' }).click();
  await dialog.getByLabel('Motivo').fill('O pagador escreveu');
  const credit = dialog.getByRole('button', { name: 'Creditar em uma conta' });
  await credit.click();
  await expect(dialog.getByText('Informe o identificador.')).toBeVisible();
  await dialog.getByLabel('Identificador da conta').fill(shop.name);
  await credit.click();
  await expect(dialog.getByText('Deve ser um identificador (uuid).')).toBeVisible();
  await dialog.getByLabel('Identificador da conta').fill(shop.accountId);
  // What can't be sent is said to have failed, and not kept to be sent later.
  await console.context().setOffline(true);
  await credit.click();
  await expect(dialog.getByText('Você está sem internet.')).toBeVisible();
  await expect(
    console.getByRole('status').filter({ hasText: 'O que está na tela pode estar desatualizado.' }),
  ).toBeVisible();
  await console.context().setOffline(false);
  await credit.click();
  await expect(dialog).toHaveCount(0);
  await expect(unmatched).toHaveCount(0);
});

test('a dispute that the bank has decided is closed by the operator, and its money is available again', {
  tag: '@width-independent',
}, async ({ shop, operatorPage: console }) => {
  const { id } = await shop.createCharge({ amount: 43.9 });
  await shop.pays(id);
  await operator('dispute', 'open', id, '--reason', 'fraud');
  const available = async () => {
    const { body } = await shop.get('/payments/balance');
    return (body.data as { available_balance: number }).available_balance;
  };
  expect(await available()).toBe(0);
  await console.goto('/operator/contestacoes');
  const row = console.getByRole('row').filter({ hasText: 'R$ 43,90' });
  await row.getByRole('button', { name: 'Ganha' }).click();
  await console.getByRole('dialog').getByRole('button', { name: 'Ganha' }).click();
  await expect(console.getByText('Contestação encerrada.')).toBeVisible();
  await expect.poll(available).toBeGreaterThan(0);
});

test('an operator has a callback processed again that nothing came of, and finds a transaction of a merchant; a reload and Back keep the filters', {
  tag: '@width-independent',
}, async ({ shop, operatorPage: console }) => {
  const rail = `desligado-${Date.now()}`;
  await putCallback(rail);
  await console.goto('/operator/fila');
  const callbacks = console.getByRole('region', { name: 'Avisos dos provedores' });
  await callbacks.getByLabel('O que mostrar').selectOption({ label: 'Sem correspondência' });
  const row = callbacks.getByRole('row').filter({ hasText: rail });
  // The worker takes it within a second.
  await expect(async () => {
    await console.reload();
    await expect(row).toContainText('não pôde ser lido', { timeout: 1_000 });
  }).toPass();
  await row.getByRole('button', { name: 'Processar de novo' }).click();
  await expect(console.getByText('Vai ser executado em instantes.')).toBeVisible();

  const { id } = await shop.createCharge({ amount: 27.31 });
  await console.getByRole('link', { name: 'Transações', exact: true }).click();
  await console.getByLabel('Identificador, txid, end-to-end id ou carteira').fill(id.slice(-8));
  // The newest one is in the list before it is searched, too.
  await console.waitForURL(new RegExp(id.slice(-8)));
  const found = console.getByRole('table', { name: 'Transações' }).getByRole('row').filter({ hasText: shop.name });
  await expect(found).toHaveCount(1);
  await expect(found).toContainText('Cobrança PIX');
  await found.getByRole('link').click();
  await expect(console.getByRole('link', { name: shop.name })).toHaveAttribute(
    'href',
    `/operator/contas/${shop.accountId}`,
  );
  await expect(console.getByText(id, { exact: true })).toBeVisible();
  await console.goBack();
  await expect(found).toHaveCount(1);
  await expect(console.getByRole('searchbox', { name: 'Identificador, txid, end-to-end id ou carteira' })).toHaveValue(
    id.slice(-8),
  );
});

test('every page of the console is there, says what it is, shows its tables whole on a tablet, and axe finds nothing serious on it', {
  tag: '@width-independent',
}, async ({ operatorPage: console }) => {
  for (const [path, heading] of [
    ['', 'Visão geral'],
    ['/contas', 'Contas'],
    ['/verificacoes', 'Verificações'],
    ['/decisoes', 'Decisões'],
    ['/contestacoes', 'Contestações'],
    ['/conciliacao', 'Conciliação'],
    ['/transacoes', 'Transações'],
    ['/saques', 'Saques sem resposta'],
    ['/fila', 'Fila'],
    ['/emails', 'E-mails'],
    ['/sistema', 'Sistema'],
    ['/instalacao', 'Instalação'],
    ['/auditoria', 'Auditoria'],
  ] as const) {
    await console.goto(`/operator${path}`);
    await expect(console.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(console.getByRole('status', { name: 'Carregando' })).toHaveCount(0);
    expect(await seriousViolations(console)).toEqual([]);
    expect(await otherNames(console)).toEqual([]);
    await expect(console.getByText('Horário de Brasília').filter({ visible: true })).toHaveCount(1);
    for (const width of [1210, 1000, 800]) {
      await console.setViewportSize({ ...DESKTOP, width });
      await expect.poll(() => cutTables(console), { message: `${path} at ${width} px` }).toEqual([]);
    }
    // The narrowest phone: no page scrolls sideways (WCAG 1.4.10).
    await console.setViewportSize({ ...PHONE, width: 320 });
    const width = () => console.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width, { message: `${path} at 320 px` }).toBeLessThanOrEqual(320);
    await console.setViewportSize(DESKTOP);
  }
  // On a phone the links are in one line that scrolls, and the open page is in sight.
  await console.setViewportSize(PHONE);
  await console.reload();
  const pages = console.getByRole('navigation', { name: 'Páginas' });
  const open = pages.getByRole('link', { name: 'Auditoria' });
  await expect(open).toBeInViewport({ ratio: 1 });
  await pages.evaluate((line) => line.scrollTo({ left: 0 }));
  await expect(open).not.toBeInViewport();
});

test('an address of the console that has no page, or names nothing, says so inside the console', {
  tag: '@width-independent',
}, async ({ operatorPage: console }) => {
  expect((await console.goto('/operator/nada'))?.status()).toBe(404);
  await expect(console.getByRole('heading', { level: 1 })).toHaveText('Página não encontrada');
  await console.getByRole('link', { name: 'Ir para o início' }).click();
  await expect(console.getByRole('heading', { level: 1 })).toHaveText('Visão geral');
  for (const id of ['abc', '01920000-0000-7000-8000-000000000001']) {
    await console.goto(`/operator/contas/${id}`);
    await expect(console.getByText('Confira o endereço')).toBeVisible();
    await expect(console.getByRole('button', { name: 'Tentar de novo' })).toHaveCount(0);
  }
});

test('a member’s session opens nothing of the console', { tag: '@width-independent' }, async ({ page, shop }) => {
  await shop.open('/inicio');
  await page.goto('/operator/contas');
  // The sign-in leads back to the page.
  await expect(page).toHaveURL(/\/operator\/entrar\?next=%2Foperator%2Fcontas$/);
  expect((await page.request.get('/operator/api/trpc/accounts.find?input=%7B%7D')).status()).toBe(401);
});
