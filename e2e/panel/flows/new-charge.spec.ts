import { expect, operator, test } from '../fixtures.ts';

type Charge = { transaction_id: string; reference: string; created_at: string; expires_at: string };

test('a charge shows what is left of it, then its code and link, then that it was paid', async ({ page, shop }) => {
  await shop.open('/cobrar');
  await page.getByLabel('Valor em reais').fill('100,50');
  await expect(page.getByRole('region', { name: 'Resumo' })).toContainText('Você recebeR$ 99,39');

  // A rejected form keeps what was typed and has the cursor on the field with the issue.
  await page.getByLabel('Descrição (opcional)').fill('Pedido <b>42</b>');
  await page.getByLabel('Sua referência (opcional)').fill('pedido-42');
  await page.getByLabel('Pode ser paga por').selectOption('15 minutos');
  await page.getByLabel('CPF ou CNPJ').fill('123.456.789-00');
  await page.getByRole('button', { name: 'Cobrar R$ 100,50' }).click();
  await expect(page.getByText('Não é um CPF válido: confira o número.')).toBeVisible();
  await expect(page.getByLabel('CPF ou CNPJ')).toBeFocused();
  await expect(page.getByLabel('Valor em reais')).toHaveValue('100,50');
  // Of several, on the first as they stand on the page, in whatever order they are checked.
  await page.getByLabel('E-mail', { exact: false }).first().fill('maria');
  await page.getByRole('button', { name: 'Cobrar R$ 100,50' }).click();
  await expect(page.getByText('Deve ser um e-mail válido.')).toBeVisible();
  await expect(page.getByLabel('CPF ou CNPJ')).toBeFocused();
  await page.getByLabel('E-mail', { exact: false }).first().fill('');
  await page.getByLabel('CPF ou CNPJ').fill('123.456.789-09');
  await page.getByRole('button', { name: 'Cobrar R$ 100,50' }).dblclick();

  await expect(page.getByRole('heading', { name: 'Cobrança criada' })).toBeVisible();
  await expect(page.locator('main div:focus')).toContainText(/R\$\s100,50.*pendente/);
  await expect(page.getByText('Pedido <b>42</b>')).toBeVisible();
  const code = await page.getByLabel('Código PIX copia e cola').inputValue();
  const { body } = await shop.get('/payments/transactions');
  const [charge, ...others] = body.data as Charge[];
  expect(others).toEqual([]);
  expect(charge?.reference).toBe('pedido-42');
  expect(Date.parse(charge?.expires_at ?? '') - Date.parse(charge?.created_at ?? '')).toBe(15 * 60_000);
  await expect(page.getByLabel('Link de pagamento')).toHaveValue(new RegExp(`/pay/${charge?.transaction_id}$`));

  // A reload shows the same charge. When it is paid in the sandbox, the page says so without a
  // reload.
  await page.reload();
  await expect(page.getByLabel('Código PIX copia e cola')).toHaveValue(code);
  await page.getByRole('button', { name: 'Pagar como o cliente pagaria' }).click();
  await expect(page.getByText('O valor líquido já está no saldo disponível.').first()).toBeVisible();
});

test('the largest amount of an account without a limit of its own is what the service takes at most', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await operator('account', 'set', shop.accountId, '--limit', 'maximal_value_in_pix=none');
  await shop.open('/cobrar');
  await page.getByLabel('Valor em reais').fill('1000000,01');
  await expect(page.getByText('O máximo é R$ 1.000.000,00.')).toBeVisible();
  await shop.open('/limites');
  const card = page.getByRole('heading', { name: 'Cobrança PIX' }).locator('xpath=..');
  await expect(card).toContainText('De R$ 1,00 a R$ 1.000.000,00');
});

test('a crypto invoice shows its quote, then its address, then what the network has seen', {
  tag: '@width-independent',
}, async ({ page, shop, payerPays, networkConfirms }) => {
  await shop.open('/cobrar');
  await page.getByText('Cripto', { exact: true }).click();
  await page.getByLabel('Valor em reais').fill('540');
  await expect(page.getByText('Seu cliente envia 100 USDT')).toBeVisible();
  await page.getByLabel('Descrição (opcional)').fill('Pedido 43');
  await page.getByLabel('CPF ou CNPJ').fill('123.456.789-09');
  await page.getByRole('button', { name: 'Criar fatura de R$ 540,00' }).click();
  await expect(page.getByText('Envie somente USDT pela rede BNB Smart Chain (BEP20).')).toBeVisible();

  const id = new URL(page.url()).searchParams.get('cobranca') ?? '';
  const { body } = await shop.get(`/payments/transactions/${id}`);
  expect(body.data).toMatchObject({ description: 'Pedido 43', customer: { document: '12345678909' } });
  await payerPays({ id }, { unconfirmed: true });
  await expect(page.getByText('confirmando', { exact: true }).first()).toBeVisible();
  await networkConfirms({ id });
  await expect(page.getByText('O valor líquido já está no saldo disponível.').first()).toBeVisible();
});
