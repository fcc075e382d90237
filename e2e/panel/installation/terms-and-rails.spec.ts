import { operator } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test.afterAll(() => operator('rail', 'on', 'pix_out'));

test('a fee that the operator plans for tomorrow is seen by the merchant, and a rail that is off rejects withdrawals until it is on', async ({
  page,
  shop,
  operatorPage: console,
}) => {
  await console.goto(`/operator/contas/${shop.accountId}`);
  await console.getByRole('button', { name: 'Mudar', exact: true }).click();
  const dialog = console.getByRole('dialog');
  await dialog.getByLabel('O que muda').selectOption('Taxa, Saque PIX');
  await dialog.getByLabel('Percentual').fill('101');
  await dialog.getByLabel('Parte fixa').fill('0,30');
  const tomorrow = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(Date.now() + 86_400_000);
  await dialog.getByLabel('A partir de').fill(tomorrow);
  await dialog.getByLabel('Motivo').fill('Acordo de novembro');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await expect(dialog.getByText('Deve ser de 0 a 100.')).toBeVisible();
  await dialog.getByLabel('Percentual').fill('1,5');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await expect(dialog).toBeHidden();
  const from = `A partir de ${tomorrow.split('-').reverse().join('/')}`;
  await expect(console.getByRole('row').filter({ hasText: from })).toContainText('marcada');

  await shop.open('/limites');
  const planned = page.getByRole('region', { name: 'Mudanças marcadas' });
  await expect(planned).toContainText(from);
  await expect(planned).toContainText('Taxa, Saque PIX: 1,50 % + R$ 0,30');

  const withdraw = async () =>
    (await shop.post('/payments/transfers/pix', { amount: 10, pixKey: 'a@b.co', pixKeyType: 'EMAIL' })).status;
  expect(await withdraw()).toBe(400);
  await console.goto('/operator/instalacao');
  const rail = console.getByRole('row').filter({ hasText: 'Saques PIX' });
  await rail.getByRole('button', { name: 'Desligar' }).click();
  await console.getByRole('dialog').getByLabel('Motivo').fill('Banco fora do ar');
  await console.getByRole('dialog').getByRole('button', { name: 'Desligar' }).click();
  await expect(rail).toContainText('desligado');
  expect(await withdraw()).toBe(503);
  await shop.open('/sacar');
  await expect(page.getByText('Banco fora do ar').first()).toBeVisible();
  await rail.getByRole('button', { name: 'Ligar' }).click();
  await expect(rail.getByRole('button', { name: 'Desligar' })).toBeVisible();
  expect(await withdraw()).toBe(400);
});
