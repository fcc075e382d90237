import { expect, test } from '../fixtures.ts';

/** After this a page opens a stream that was rejected again. */
const STREAM_AGAIN_MS = 10_000;

test('a charge comes in by itself, is paid, is given back in part, and has a receipt', async ({
  page,
  shop,
  payerPays,
}) => {
  await shop.open('/transacoes');
  await expect(page.getByText('Nenhuma transação ainda')).toBeVisible();

  // The merchant's system makes a charge, and the customer pays: the open list shows both.
  const charge = await shop.createCharge({ amount: 100.5, description: 'Pedido 42' });
  const row = page.getByRole('link', { name: /Pedido 42/ });
  await expect(row).toBeVisible();
  await expect(page.getByText('pendente', { exact: true })).toBeVisible();
  await payerPays(charge);
  await expect(page.getByText('paga', { exact: true })).toBeVisible();

  // The detail has an address of its own, and explains the money.
  await row.click();
  await expect(page).toHaveURL(new RegExp(`/test/transacoes/${charge.id}$`));
  await expect(page.getByText('(1,00 % + R$ 0,10)')).toBeVisible();
  await expect(page.getByText('R$ 99,39').first()).toBeVisible();
  await page.getByRole('button', { name: 'Lançamentos (1)' }).click();
  await expect(page.getByRole('cell', { name: 'Saldo disponível', exact: true })).toBeVisible();

  // The merchant refunds a part: too large an amount is rejected before it is sent.
  await page.getByRole('button', { name: 'Estornar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Estornar cobrança' });
  await dialog.getByText('Uma parte').click();
  await dialog.getByLabel('Valor a estornar').fill('100,51');
  await dialog.getByRole('button', { name: 'Estornar R$ 100,51' }).click();
  await expect(dialog.getByText('No máximo R$ 100,50.')).toBeVisible();
  await expect(dialog.getByTestId('understood-amount')).toBeHidden();
  await expect(dialog.getByLabel('Valor a estornar')).toBeFocused();
  await dialog.getByLabel('Valor a estornar').fill('2.000.000,00');
  await expect(dialog.getByText('O máximo é R$ 100,50.')).toBeVisible();
  await dialog.getByLabel('Valor a estornar').fill('20,00');
  await dialog.getByRole('button', { name: 'Estornar R$ 20,00' }).click();
  // Money leaves the account: who asks for it confirms with a second factor.
  await shop.confirms();
  await expect(page.getByText('Estorno de R$ 20,00 pedido.')).toBeVisible();
  await expect(page.getByText('concluído', { exact: true })).toBeVisible();
  // Badge, net and text show the refund: 100,50 less 1,11 of fee and 20,00.
  await expect(page.getByText('estornada em parte', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Uma parte foi devolvida ao pagador').last()).toBeVisible();
  await expect(page.getByText('R$ 79,39').first()).toBeVisible();

  // The receipt says what was paid, and that test mode moves no real money.
  await page.getByRole('link', { name: 'Recibo' }).click();
  const receipt = page.getByRole('article');
  await expect(receipt.getByRole('heading', { name: 'Recibo: Cobrança PIX' })).toBeVisible();
  await expect(receipt.getByText('R$ 100,50').first()).toBeVisible();
  await expect(receipt.getByText(charge.id)).toBeVisible();
  await expect(receipt.getByText('Modo teste: não vale como comprovante')).toBeVisible();
  // The payer's receipt names who was paid and has no fee of ours; the merchant's has fee and net.
  await expect(
    receipt.getByText(/^\*{3}\.\d{3}\.\d{3}-\*{2}$|^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/).first(),
  ).toBeVisible();
  await expect(receipt.getByText(/Taxa|Líquido|79,39/)).toHaveCount(0);
  await page.getByText('Para você, com a taxa').click();
  await expect(page).toHaveURL(/\?para=loja$/);
  await expect(receipt.getByText('R$ 79,39')).toBeVisible();
  await expect(receipt.getByText(/^Taxa/)).toBeVisible();

  // The home page says how the balance came about, with the refund among its lines.
  await shop.open('/inicio');
  const total = page.getByTestId('period-total');
  await expect(total).toContainText(
    /Recebido\+R\$\s100,50.*Taxas−R\$\s1,11.*Estornado−R\$\s20,00.*Saldo agoraR\$\s79,39/,
  );
});

test('a list whose stream begins again is read again: a later stream does not report what came long before', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  // A stream without a message; it ends at once, and the browser opens it again after so long.
  const begun = (againMs: number) => ({
    contentType: 'text/event-stream',
    body: `retry: ${againMs}\nevent: connected\ndata: {}\n\n`,
  });
  const rejected = { status: 503 };
  let answer: ReturnType<typeof begun> | typeof rejected = begun(1);
  await page.route(/live\.transactions/, (route) => route.fulfill(answer));
  await page.clock.install();
  await shop.open('/transacoes');
  await expect(page.getByText('Nenhuma transação ainda')).toBeVisible();
  const asked = page.waitForResponse((response) => response.status() === rejected.status);
  answer = rejected;
  await asked;
  await shop.createCharge({ amount: 10, description: 'Pedido 42' });
  answer = begun(60_000);
  await page.clock.fastForward(STREAM_AGAIN_MS);
  await expect(page.getByRole('link', { name: /Pedido 42/ })).toBeVisible();
});

test('filters live in the address: Back leads to those before, and a link keeps them', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.createCharge({ amount: 10, description: 'Pedido pequeno' });
  await shop.createCharge({ amount: 500, description: 'Pedido grande' });
  await shop.open('/transacoes');
  const small = page.getByRole('link', { name: /Pedido pequeno/ });
  const large = page.getByRole('link', { name: /Pedido grande/ });
  await expect(small).toBeVisible();

  await page.getByRole('button', { name: 'Valor' }).click();
  await page.getByLabel('Mínimo').fill('100,00');
  await page.getByRole('button', { name: 'Aplicar' }).click();
  await expect(page).toHaveURL(/\?min=100$/);
  await expect(small).toBeHidden();
  await expect(large).toBeVisible();

  await page.getByRole('searchbox', { name: 'Buscar transações' }).fill('pequeno');
  await expect(page.getByText('Nada encontrado')).toBeVisible();
  await expect(page).toHaveURL(/q=pequeno&min=100$/);

  await page.goBack();
  await expect(large).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Buscar transações' })).toHaveValue('');
  await page.reload();
  await expect(large).toBeVisible();
  await expect(small).toBeHidden();

  // The detail keeps the filters, and so does the way back.
  await large.click();
  await expect(page).toHaveURL(/\/transacoes\/[0-9a-f-]{36}\?min=100$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/transacoes\?min=100$/);
  await page.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect(small).toBeVisible();
});

test('a list without transactions leads to the first charge, and an amount that no text has to those of that amount', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/transacoes');
  await page.getByRole('main').getByRole('link', { name: 'Nova cobrança' }).click();
  await expect(page).toHaveURL(/\/cobrar$/);
  await shop.createCharge({ amount: 189.9, description: 'Mochila' });
  await shop.createCharge({ amount: 18.99, description: 'Caneca' });
  await shop.open('/transacoes');
  await page.getByRole('searchbox', { name: 'Buscar transações' }).fill('189,90');
  await page.getByRole('button', { name: 'Procurar pelo valor R$ 189,90' }).click();
  await expect(page).toHaveURL(/\/transacoes\?min=189.9&max=189.9$/);
  await expect(page.getByRole('link', { name: /Mochila/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Caneca/ })).toBeHidden();
});

test('the controls that a transaction leads to are its own, not those of a newer one', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const { id } = await shop.createCharge({ amount: 41, description: 'Pedido 41' });
  await shop.createCharge({ amount: 42, description: 'Pedido 42' });
  await shop.open(`/transacoes/${id}`);
  await page.getByRole('button', { name: 'Simular' }).click();
  await page.getByRole('menuitem', { name: 'Todos os controles' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sandbox' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Pedido 41/ })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('link', { name: 'Ver detalhes' }).click();
  await expect(page).toHaveURL(new RegExp(`/transacoes/${id}$`));
});

test('an open refund dialog goes by what was given back meanwhile', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 80 });
  await shop.pays(id);
  await shop.open(`/transacoes/${id}`);
  await page.getByRole('button', { name: 'Estornar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Estornar cobrança' });
  await expect(dialog.getByRole('button', { name: 'Estornar R$ 80,00' })).toBeVisible();
  expect((await shop.post(`/payments/transactions/${id}/refund`, { amount: 60 })).status).toBe(200);
  await expect(dialog.getByRole('button', { name: 'Estornar R$ 20,00' })).toBeVisible();
  await expect(dialog.getByText('Tudo: R$ 20,00')).toBeVisible();
});

test('an unpaid charge is cancelled after a confirmation', { tag: '@width-independent' }, async ({ page, shop }) => {
  const { id } = await shop.createCharge({ amount: 33, description: 'Engano' });
  await page.goto(`/test/transacoes/${id}`);
  await page.getByRole('button', { name: 'Mais ações' }).click();
  await page.getByRole('menuitem', { name: 'Cancelar cobrança' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancelar cobrança' });
  await expect(dialog.getByText('deixa de poder ser paga')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancelar cobrança' }).click();
  await expect(page.getByText('Cobrança cancelada.')).toBeVisible();
  await expect(page.getByText('cancelada', { exact: true }).first()).toBeVisible();
});

test('the search finds a transaction by its amount and opens it', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 1234.56, description: 'Pedido raro' });
  await shop.open('/inicio');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.getByPlaceholder('Página, ação').fill('R$ 1.234,56');
  await page.getByRole('dialog').getByText('Pedido raro').click();
  await expect(page).toHaveURL(new RegExp(`/test/transacoes/${id}$`));
});
