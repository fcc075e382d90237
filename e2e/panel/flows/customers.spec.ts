import { readFileSync } from 'node:fs';
import { expect, type PanelMerchant, test } from '../fixtures.ts';

const MARIA = { customerDocument: '52998224725', customerDocumentType: 'cpf', customerName: 'Maria da Silva' };

/** Creates a charge for a payer who is named; returns its id. */
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
  const transactions = page.getByRole('region', { name: 'Transações' });
  // Each says when it was, on a phone too.
  for (const nth of [0, 1]) await expect(transactions.locator('time').nth(nth)).toBeVisible();
  await transactions.getByText('Torta').click();

  // The transaction leads back to its payer.
  await expect(page).toHaveURL(/\/transacoes\//);
  await page.getByRole('link', { name: 'Maria da Silva', exact: true }).click();
  await expect(page).toHaveURL(/\/clientes\//);
});

test('an owner exports what is stored about a person, sees until when it is kept, and erases what was never paid', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const id = await charge(shop, 90, { ...MARIA, description: 'Bolo' });
  await shop.pays(id);
  await shop.open(`/clientes/${id}`);
  const data = page.getByRole('region', { name: 'Dados pessoais (LGPD)' });
  await data.getByRole('button', { name: 'Exportar os dados' }).click();
  const download = page.waitForEvent('download');
  await shop.confirms();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^cliente-\d{4}-\d\d-\d\d-teste\.json$/);
  const stored = JSON.parse(readFileSync(await file.path(), 'utf8'));
  expect(stored.transactions).toMatchObject([{ transaction_id: id, payer: { document: MARIA.customerDocument } }]);
  // The notice that it was saved stays while the pointer is on it, and may lie over the button.
  await page.mouse.move(0, 0);

  const dialog = page.getByRole('dialog', { name: 'Apagar os dados desta pessoa' });
  const year = new Intl.DateTimeFormat('en', { timeZone: 'America/Sao_Paulo', year: 'numeric' }).format();
  const kept = `1 transação: a partir de 01/01/${Number(year) + 11}`;
  await data.getByRole('button', { name: 'Apagar os dados' }).click();
  await expect(dialog.getByText('Nada pode ser apagado agora.', { exact: false })).toBeVisible();
  await expect(dialog.getByText(kept)).toBeVisible();
  await expect(dialog.getByLabel('Motivo')).toHaveCount(0);

  const unpaid = await charge(shop, 70, { ...MARIA, description: 'Torta' });
  await shop.open(`/clientes/${unpaid}`);
  await data.getByRole('button', { name: 'Apagar os dados' }).click();
  await expect(dialog.getByText(kept)).toBeVisible();
  await dialog.getByRole('button', { name: 'Apagar os dados de 1 transação' }).click();
  await expect(dialog.getByText('Diga o motivo.')).toBeVisible();
  await dialog.getByLabel('Motivo').fill('Protocolo 7');
  await dialog.getByRole('button', { name: 'Apagar os dados de 1 transação' }).click();
  // No new confirmation is asked for: the one for the export still holds.
  await expect(page.getByText('Dados de 1 transação apagados.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/clientes/${id}$`));
  await expect(page.getByText('1 transação paga de 1')).toBeVisible();
  const { body } = await shop.get(`/payments/transactions/${unpaid}`);
  expect(body.data).toMatchObject({ amount: 70, customer: null, description: null });

  // Who is named without a document has no page: what they may ask for is at the transaction.
  const { customerName } = MARIA;
  const nameless = await charge(shop, 60, { customerName });
  await shop.open(`/transacoes/${nameless}`);
  await page.getByRole('button', { name: 'Apagar os dados' }).click();
  await dialog.getByLabel('Motivo').fill('Protocolo 8');
  await dialog.getByRole('button', { name: 'Apagar os dados de 1 transação' }).click();
  await shop.confirms();
  await expect(page.getByRole('heading', { name: 'Dados pessoais (LGPD)' })).toHaveCount(0);
  await expect(page.getByRole('definition').filter({ hasText: customerName })).toHaveCount(0);
});
