import { encodeDynamicBrCode, encodeStaticBrCode } from '../../../src/domain/charges/br-code.ts';
import { payeeOf } from '../../../src/sandbox/pix/payee-of.ts';
import { trilho } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('a withdrawal shows its figures, then asks for the second factor, then has a receipt', async ({ page, shop }) => {
  await shop.earns(500);
  await shop.setsUpSecondFactor();

  // Costs and the remaining balance are shown before anything is confirmed; the charge's fee was R$
  // 5,10.
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('maria@example.com');
  await page.getByLabel('Quanto enviar').fill('200,50');
  const summary = page.getByRole('region', { name: 'Resumo' });
  await expect(summary).toContainText('Saldo disponível agoraR$ 494,90');
  await expect(summary).toContainText('Saldo depois do saqueR$ 294,40');

  // The second step repeats who gets what; the browser's Back leads to what was typed.
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByRole('heading', { name: 'Confira antes de enviar' })).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Quanto enviar')).toHaveValue('200,50');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText('maria@example.com')).toBeVisible();

  // Pressed twice it is sent once, and only after a correct code.
  await page.getByRole('button', { name: 'Sacar R$ 200,50' }).dblclick();
  // The dialog shows what is approved, and takes the code at once.
  const question = page.getByRole('dialog', { name: 'Confirme que é você' });
  const code = question.getByLabel('Código de 6 dígitos');
  await expect(code).toBeFocused();
  const approved = question.getByRole('region', { name: 'Você está aprovando' });
  await expect(approved).toContainText('Enviar um PIX');
  await expect(approved).toContainText(/R\$\s200,50/);
  await expect(approved).toContainText('maria@example.com');
  await page.keyboard.type('000000');
  await expect(question.getByText('Código incorreto ou já usado.')).toBeVisible();
  await expect(code).toBeFocused();
  await expect(code).toHaveValue('');
  await shop.confirms();
  await expect(page.getByText('Saque pago')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Saque pago' })).toBeFocused();
  const { body } = await shop.get('/payments/transactions?type=pix_out');
  expect(body.data).toMatchObject([{ amount: 200.5, status: 'paid', destination: 'maria@example.com' }]);

  // The provider has now named the receiver: here, in the receipt, in the detail, and before the
  // next PIX to that key.
  const { nome } = payeeOf('maria@example.com');
  await expect(page.getByText(nome)).toBeVisible();
  await page.getByRole('link', { name: 'Recibo' }).click();
  await expect(page).toHaveURL(/\/transacoes\/[0-9a-f-]{36}\/recibo$/);
  await expect(page.getByText('R$ 200,50').first()).toBeVisible();
  await expect(page.getByText(nome)).toBeVisible();
  // The browser takes the page over in another second than that in which the server made it.
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  await page.route('**/_next/static/**/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await route.continue();
  });
  await page.reload();
  await expect(page.locator('html[data-interactive]')).toBeAttached();
  expect(thrown).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('link', { name: 'Transação' }).click();
  await expect(page.getByRole('heading', { name: 'Quem recebe' }).locator('xpath=../..').getByText(nome)).toBeVisible();
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('Maria@example.com');
  await page.getByLabel('Quanto enviar').fill('1');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(
    page.getByText(new RegExp(`^Seu último PIX para esta chave, em .*, foi para ${nome} \\(\\*`)),
  ).toBeVisible();
  await expect(page.getByText('O provedor não diz de quem é a chave antes do envio.')).toBeVisible();
});

test('whoever gives up at the second factor has sent nothing, and finds what was typed', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.earns(100);
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('maria@example.com');
  await page.getByLabel('Quanto enviar').fill('50');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await page.getByRole('button', { name: 'Sacar R$ 50,00' }).click();
  const question = page.getByRole('dialog', { name: 'Confirme que é você' });
  await expect(question.getByLabel('Senha', { exact: true })).toBeFocused();
  await page.keyboard.type('não é a senha');
  await page.keyboard.press('Enter');
  await expect(question.getByText('Senha incorreta.')).toBeVisible();
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByText('Confirme sua identidade para continuar.')).toBeVisible();
  await page.getByRole('button', { name: 'Voltar e corrigir' }).click();
  await expect(page.getByLabel('Chave PIX de quem recebe')).toHaveValue('maria@example.com');
  expect((await shop.get('/payments/transactions?type=pix_out')).body.data).toEqual([]);
});

test('an answer that gets lost leads to the same withdrawal, not to a second one', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.earns(1000);
  await shop.open('/sacar');
  await page.getByText('Cripto', { exact: true }).click();
  await page.getByLabel(/^Carteira de destino/).fill(WALLET);
  await page.getByLabel('Quanto tirar do saldo').fill('540');
  await expect(page.getByText('≈ 100 USDT')).toBeVisible();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();

  let lost = 0;
  await page.route('**/withdrawals.crypto**', async (route) => {
    const response = await route.fetch();
    if (response.ok() && lost++ === 0) await route.abort();
    else await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Sacar R$ 540,00' }).click();
  await shop.confirms();
  await expect(page.getByText('Não sabemos se o pedido chegou.')).toBeVisible();
  // After a reload the page still knows what it sent.
  await page.reload();
  await expect(page.getByText('Não sabemos se o pedido chegou.')).toBeVisible();
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByText('Saque concluído')).toBeVisible({ timeout: 60_000 });
  expect((await shop.get('/payments/transactions?type=crypto_out')).body.data).toHaveLength(1);
});

test('a key that is a CPF and a mobile number is asked about, and a withdrawal that would be rejected says so in figures', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.earns(100);
  await shop.open('/sacar');

  // A BR Code is read into key, amount and name; one that can't be paid from here says why.
  const key = page.getByLabel('Chave PIX de quem recebe');
  const merchant = { merchantName: 'Maria da Silva', merchantCity: 'Porto Alegre' };
  await key.fill(encodeDynamicBrCode({ ...merchant, location: 'pix.example.com/qr/v2/9d36b84fc70b478f' }));
  await expect(page.getByText('Este é um BR Code dinâmico')).toBeVisible();
  await key.fill(encodeStaticBrCode({ ...merchant, key: '12345678909', amountCentavos: 1234n, txid: 'PEDIDO42' }));
  await expect(key).toHaveValue('123.456.789-09');
  await expect(page.getByLabel('Quanto enviar')).toHaveValue('12,34');
  await expect(page.getByText('O identificador PEDIDO42 do código não vai com o envio')).toBeVisible();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText('Maria da Silva, Porto Alegre, como está no BR Code.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sacar R$ 12,34' })).toBeVisible();
  await page.goBack();

  await page.getByLabel('Chave PIX de quem recebe').fill('51998259765');
  await page.getByLabel('Quanto enviar').fill('150');
  await expect(page.getByText('Faltam R$ 51,10: saem R$ 150,00 e o saldo disponível é de R$ 98,90.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Conferir o saque' })).toBeDisabled();
  await expect(page.getByText(/^Por saque: de R\$\s1,00 a R\$\s15\.000,00\./)).toBeVisible();
  // Without a maximum the text names the minimum alone.
  await trilho('account', 'set', shop.accountId, '--limit', 'maximal_value_out_pix=none');
  await page.getByLabel('Quanto enviar').fill('140');
  await expect(page.getByText(/^Por saque: a partir de R\$\s1,00\./)).toBeVisible();

  await page.getByLabel('Quanto enviar').fill('10');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText('Diga se é CPF ou celular.')).toBeVisible();
  await page.getByLabel(/^Celular/).check();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText('+55 (51) 99825-9765')).toBeVisible();
  await expect(page.getByText('O provedor não diz de quem é a chave antes do envio.')).toBeVisible();
});
