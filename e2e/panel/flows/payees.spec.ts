import { expect, test } from '../fixtures.ts';

test('a withdrawal goes to a payee once its wait is over, and is rejected before', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.earns(200);
  await shop.open('/favorecidos');
  await page.getByRole('button', { name: 'Adicionar favorecido' }).click();
  const form = page.getByRole('dialog', { name: 'Adicionar favorecido' });
  await form.getByLabel('Nome').fill('Fornecedor Azul');
  await form.getByLabel('Chave PIX').fill('azul@example.com');
  await form.getByRole('button', { name: 'Adicionar' }).click();
  await shop.confirms();
  const row = page.getByRole('row').filter({ hasText: 'azul@example.com' });
  await expect(row.getByText('Em espera', { exact: true })).toBeVisible();

  const threshold = page.getByRole('region', { name: 'Saques só para favorecidos' });
  await threshold.getByRole('button', { name: 'Mudar', exact: true }).click();
  const mode = page.getByRole('dialog', { name: 'Saques só para favorecidos' });
  await mode.getByText('Todo saque', { exact: true }).click();
  await mode.getByRole('button', { name: 'Salvar' }).click();
  await expect(threshold.getByText('Todo saque só sai para um favorecido.')).toBeVisible();

  // The form says so in advance; a withdrawal that is sent all the same is rejected.
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('azul@example.com');
  await page.getByLabel('Quanto enviar').fill('60');
  const preview = page.getByRole('region', { name: 'Resumo' });
  await expect(preview.getByText(/^Fornecedor Azul ainda está na espera/)).toBeVisible();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await page.getByRole('button', { name: 'Sacar R$ 60,00' }).click();
  await expect(page.getByText('Este favorecido ainda está na espera.', { exact: false })).toBeVisible();
  const other = { amount: 60, pixKey: 'outra@example.com', pixKeyType: 'EMAIL' };
  expect(await shop.post('/payments/transfers/pix', other)).toMatchObject({ status: 403 });

  await shop.open('/favorecidos');
  await row.getByRole('button', { name: 'O que fazer com Fornecedor Azul' }).click();
  await page.getByRole('menuitem', { name: 'Encerrar a espera (teste)' }).click();
  await expect(row.getByText('Pode receber', { exact: true })).toBeVisible();

  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('');
  await page.getByRole('combobox', { name: 'Ou escolha um favorecido' }).click();
  await page.getByRole('option', { name: /^Fornecedor Azul/ }).click();
  await expect(page.getByLabel('Chave PIX de quem recebe')).toHaveValue('azul@example.com');
  await page.getByLabel('Quanto enviar').fill('60');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await page.getByRole('button', { name: 'Sacar R$ 60,00' }).click();
  await shop.confirms();
  const sent = page.getByRole('main').getByRole('paragraph').filter({ hasText: 'Saque pago' });
  await expect(sent).toBeVisible({ timeout: 60_000 });
});
