import { operatorJson } from '../../fixtures.ts';
import { expect, operator, test } from '../fixtures.ts';

test('a charge that is paid with another amount is in review: what came and why is shown, and the operator’s decision pays it', {
  tag: '@width-independent',
}, async ({ page, shop, payerPays }) => {
  const { id } = await shop.createCharge({ amount: 50, description: 'Pedido 44' });
  await payerPays({ id }, { amount: '49.90' });
  type Found = { status: string; amount: number; reviews: { review_id: string; end_to_end_id: string }[] };
  const found = async () => (await shop.get(`/payments/transactions/${id}`)).body.data as Found;
  await expect.poll(async () => (await found()).status).toBe('review');
  const [review] = (await found()).reviews;

  // The home page leads to it.
  await shop.open('/inicio');
  await expect(page.getByText(/^Uma transação de R\$\s49,90 está em análise$/)).toBeVisible();
  await page.getByRole('link', { name: 'Ver transação' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'O valor pago é outro' });
  await expect(alert).toContainText(/Chegaram R\$\s49,90; a cobrança era de R\$\s50,00\./);
  await expect(alert).toContainText('Ainda não entrou no saldo: nossa equipe decide.');
  await expect(alert).toContainText(`Id no PIX: ${review?.end_to_end_id}`);
  expect((await shop.get('/payments/balance')).body.data).toMatchObject({ available_balance: 0 });

  // The operator of the installation decides, once.
  const listed = (await operatorJson('review', 'list')) as unknown as { id: string; received: string }[];
  expect(listed.find((one) => one.id === review?.review_id)).toMatchObject({ received: '49.90' });
  const resolve = ['review', 'resolve', review?.review_id ?? '', 'credit', '--reason', 'o pagador arredondou'];
  expect(JSON.parse(await operator(...resolve, '--json'))).toMatchObject({ outcome: 'credited' });
  await expect(operator(...resolve)).rejects.toThrow('This review is resolved');

  await page.reload();
  await expect(alert).toContainText('Foi creditado em');
  await expect(page.getByText('paga', { exact: true }).first()).toBeVisible();
  // The fee is 1 % of what came, and ten centavos.
  expect(await found()).toMatchObject({ status: 'paid', amount: 49.9 });
  expect((await shop.get('/payments/balance')).body.data).toMatchObject({ available_balance: 49.3 });
  await shop.open('/inicio');
  await expect(page.getByText('Nada precisa de você agora.')).toBeVisible();
});
