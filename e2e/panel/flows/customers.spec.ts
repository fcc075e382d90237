import { expect, type PanelMerchant, test } from '../fixtures.ts';

const MARIA = { customerDocument: '52998224725', customerDocumentType: 'cpf', customerName: 'Maria da Silva' };

/** A charge to a payer who is named; gives its id. */
async function charge(shop: PanelMerchant, amount: number, payer: object): Promise<string> {
  const { body } = await shop.post('/payments/transactions', { amount, ...payer });
  return (body.data as { transaction_id: string }).transaction_id;
}

test('a customer is found by a name, and has what they paid and their transactions', async ({ page, shop }) => {
  const id = await charge(shop, 120.5, {
    ...MARIA,
    customerEmail: 'maria@example.com',
    description: 'Bolo de cenoura',
  });
  await shop.pays(id);
  await charge(shop, 80, { ...MARIA, description: 'Torta' });
  await charge(shop, 10, { customerDocument: '39053344705', customerDocumentType: 'cpf', customerName: 'João Souza' });

  await shop.open('/clientes');
  const list = page.getByRole('table', { name: 'Clientes' });
  await expect(list.getByRole('row').filter({ hasText: 'João Souza' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar clientes' }).fill('mari');
  await expect(list.getByRole('row').filter({ hasText: 'João Souza' })).toHaveCount(0);
  await expect(page).toHaveURL(/busca=mari/);
  await list.getByRole('row').filter({ hasText: 'R$ 120,50' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Maria da Silva' })).toBeVisible();
  const person = page.getByRole('region', { name: 'Dados' });
  await expect(person.getByText('***.982.247-**')).toBeVisible();
  await expect(person.getByText('maria@example.com')).toBeVisible();
  await expect(page.getByText('1 transação paga de 2')).toBeVisible();
  await page.getByRole('region', { name: 'Transações' }).getByText('Torta').click();

  // And back from the payer of a transaction.
  await expect(page).toHaveURL(/\/transacoes\//);
  await page.getByRole('link', { name: 'Maria da Silva', exact: true }).click();
  await expect(page).toHaveURL(/\/clientes\//);
});
