import { putUnmatched } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

const REASON = 'o pagador escreveu para a loja';

test('money of no charge is credited, with what it comes to said before, or goes back after a second factor', {
  tag: '@width-independent',
}, async ({ page, shop, context }) => {
  const { accountId } = shop;
  await shop.earns(1);
  await putUnmatched({ accountId, centavos: 25_00, note: 'pedido 42, Maria' });
  await putUnmatched({ accountId, centavos: 40_00, note: 'aluguel' });
  const { id } = await shop.createCharge({ amount: 25, description: 'Pedido 42' });

  // The home page leads to it.
  await shop.open('/inicio');
  await expect(page.getByText(/2 pagamentos sem cobrança, R\$\s65,00 ao todo/)).toBeVisible();
  await page.getByRole('link', { name: 'Decidir' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dinheiro sem cobrança' })).toBeVisible();
  const waiting = page.getByRole('table', { name: 'Chegou sem cobrança' });
  await expect(waiting.getByText('pedido 42, Maria')).toBeVisible();

  // A charge of the same amount is offered, and the figures are shown before anything is credited.
  await page.getByRole('button', { name: /^Decidir sobre R\$\s25,00$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /R\$\s25,00 · Pedido 42/ }).check();
  await expect(dialog.getByText('Entra no seu saldo')).toBeVisible();
  const credit = dialog.getByRole('button', { name: /^Creditar R\$\s24,65$/ });
  await credit.click();
  await expect(dialog.getByText('Diga por que você decide assim.')).toBeVisible();
  await dialog.getByLabel('Motivo').fill(REASON);

  // Another tab decides first: this one says so.
  const other = await context.newPage();
  await other.goto('/test/sem-cobranca');
  await other.getByRole('button', { name: /^Decidir sobre R\$\s25,00$/ }).click();
  await other.getByRole('dialog').getByText('Só creditar').click();
  await other.getByRole('dialog').getByLabel('Motivo').fill('sem cobrança mesmo');
  await other.getByRole('button', { name: /^Creditar R\$\s24,65$/ }).click();
  await expect(other.getByText('Creditado no saldo.')).toBeVisible();
  await other.close();
  await credit.click();
  await expect(dialog.getByText('Já foi decidido o que fazer com este pagamento.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  const decided = page.getByRole('table', { name: 'Decididos' });
  await expect(decided.getByText('sem cobrança mesmo')).toBeVisible();
  await expect(decided.getByText('Maria da Silva')).toBeVisible();
  expect((await shop.get(`/payments/transactions/${id}`)).body.data).toMatchObject({ status: 'pending' });

  // A return asks for a second factor, and says how much.
  await page.getByRole('button', { name: /^Decidir sobre R\$\s40,00$/ }).click();
  await dialog.getByText('Devolver', { exact: true }).click();
  await dialog.getByLabel('Motivo').fill(REASON);
  await dialog.getByRole('button', { name: /^Devolver R\$\s40,00$/ }).click();
  const approved = page.getByRole('region', { name: 'Você está aprovando' });
  await expect(approved).toContainText('Devolver um pagamento sem cobrança');
  await expect(approved).toContainText(/R\$\s40,00/);
  await shop.confirms();
  await expect(page.getByText('A devolução está a caminho.')).toBeVisible();
  await expect(decided.getByText('Devolvido ao pagador')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Nenhum pagamento espera por você.')).toBeVisible();
});

test('an expired charge takes the money that came late, and what left at the bank is taken from the balance', {
  tag: '@width-independent',
}, async ({ page, shop, timeRunsOut }) => {
  const { accountId } = shop;
  await shop.earns(100);
  await putUnmatched({ accountId, centavos: 30_00 });
  await putUnmatched({ accountId, centavos: 150_00, isSent: true });
  const charge = await shop.createCharge({ amount: 35, description: 'Pedido 43' });
  await timeRunsOut({ ...charge, brCode: '' });
  await expect
    .poll(async () => ((await shop.get(`/payments/transactions/${charge.id}`)).body.data as { status: string }).status)
    .toBe('expired');

  await shop.open('/sem-cobranca');
  await page.getByRole('button', { name: /^Decidir sobre R\$\s30,00$/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Nenhuma cobrança deste valor espera pagamento.')).toBeVisible();
  await dialog.getByLabel('Procurar a cobrança').fill(charge.id);
  await dialog.getByRole('radio', { name: /R\$\s35,00 · Pedido 43/ }).check();
  await expect(dialog.getByText(/^A cobrança era de R\$\s35,00 e passa a ser de R\$\s30,00\.$/)).toBeVisible();
  await dialog.getByLabel('Motivo').fill(REASON);
  await dialog.getByRole('button', { name: /^Creditar R\$\s29,60$/ }).dblclick();
  await expect(page.getByText('Creditado na cobrança.')).toBeVisible();
  await page.getByRole('link', { name: 'Creditado em uma cobrança' }).click();
  await expect(page.getByText('paga', { exact: true }).first()).toBeVisible();

  // The balance of R$ 128,50 does not suffice: the dialog says what will be owed.
  await shop.open('/sem-cobranca');
  await page.getByRole('button', { name: /^Cobrar do saldo: R\$\s150,00$/ }).click();
  await expect(dialog.getByText('Fica devendo', { exact: true })).toBeVisible();
  await expect(dialog).toContainText(/−R\$\s21,50/);
  await dialog.getByLabel('Motivo').fill('aluguel da loja');
  await dialog.getByRole('button', { name: /^Cobrar R\$\s150,00$/ }).click();
  await expect(page.getByText('Cobrado do saldo.')).toBeVisible();
  expect((await shop.get('/payments/balance')).body.data).toMatchObject({ available_balance: 0, owed_balance: 21.5 });

  // The PIX is a withdrawal now, which says that it was made at the bank.
  await page.getByRole('link', { name: 'Cobrado do saldo' }).click();
  // The list beneath the detail names it too: only the detail is searched.
  const detail = page.getByRole('dialog', { name: 'Transação' });
  await expect(detail.getByText('PIX feito no banco')).toBeVisible();
  await expect(detail.getByText('Feito no aplicativo do banco, sem pedido aqui.')).toBeVisible();
  await expect(detail.getByText('Feito no aplicativo do banco', { exact: true })).toBeVisible();
  await expect(detail.getByText('Cobrado do saldo', { exact: true })).toBeVisible();
  await detail.getByRole('link', { name: 'Recibo' }).click();
  await expect(page.getByRole('heading', { name: 'Recibo: PIX feito no banco' })).toBeVisible();
  await shop.open('/extrato');
  await expect(page.getByText('PIX feito no aplicativo do banco')).toBeVisible();
});
