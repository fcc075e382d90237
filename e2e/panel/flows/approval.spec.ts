import { expect, test } from '../fixtures.ts';

test('a withdrawal that one member asks for is sent when another one approves it, and not before', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, colleague, text, formats }) => {
  const { page: theirs, name, confirms } = await colleague('finance');
  const amount = formats.reais(60);

  // The owner sets the threshold; a stricter one applies at once.
  await shop.earns(200);
  await shop.asksForApprovalAbove(50);

  // The form says in advance that the withdrawal will wait. Who asked can't approve.
  await shop.open('/sacar');
  await page.getByLabel(text('Chave PIX de quem recebe')).fill('maria@example.com');
  await page.getByLabel(text('Quanto enviar')).fill('60');
  const waits = 'Acima de {amount} um saque espera a aprovação de uma segunda pessoa: o valor fica bloqueado até lá.';
  await expect(page.getByText(text(waits, { amount: formats.reais(50) }))).toBeVisible();
  await page.getByRole('button', { name: text('Conferir o saque') }).click();
  // No new confirmation is asked for: the one for the threshold still holds.
  await page.getByRole('button', { name: text('Sacar {amount}', { amount }) }).click();
  await expect(page.getByText(text('Saque espera aprovação'))).toBeVisible();
  await page.getByRole('link', { name: text('Ver a transação') }).click();
  const own = text('Você pediu este saque, ou criou a chave que o pediu: outra pessoa precisa aprovar.');
  await expect(page.getByText(own)).toBeVisible();
  const approve = text('Aprovar', {}, 'panel.transactions');
  const decline = text('Recusar', {}, 'panel.transactions');
  await expect(page.getByRole('button', { name: decline })).toBeVisible();
  await expect(page.getByRole('button', { name: approve })).toHaveCount(0);

  // The second person finds it on the home page.
  await theirs.goto('/test/inicio');
  const awaited = text(
    '{count, plural, one {Um saque de {amount} espera aprovação há {since}} other {# saques, {amount} ao todo, esperam aprovação há até {since}}}',
    { count: 1, amount, since: '' },
  );
  await expect(theirs.getByText(awaited)).toBeVisible();
  const toDecide = text('{count, plural, one {Decidir} other {Ver saques}}', { count: 1 });
  await theirs.getByRole('link', { name: toDecide }).click();
  await theirs.getByRole('button', { name: approve, exact: true }).click();
  await theirs.getByRole('button', { name: text('Aprovar {amount}', { amount }), exact: true }).click();
  const question = theirs.getByRole('region', { name: text('Você está aprovando') });
  for (const said of [text('Aprovar um saque'), amount, 'maria@example.com'])
    await expect(question).toContainText(said);
  await confirms();
  await expect(theirs.getByText(text('Aprovado por {name}', { name }), { exact: true })).toBeVisible();
  const sent = page.getByRole('paragraph').filter({ hasText: text('Quem recebe já tem o valor.') });
  await expect(sent).toBeVisible({ timeout: 60_000 });
  const { body } = await shop.get('/payments/transactions?type=pix_out');
  expect(body.data).toMatchObject([{ amount: 60, status: 'paid', sub_status: null }]);

  // Another one is declined: who asked for it reads the reason.
  const asked = await shop.post('/payments/transfers/pix', {
    ...{ amount: 70, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  const { transaction_id: id } = asked.body.data as { transaction_id: string };
  await theirs.goto(`/test/transacoes/${id}`);
  await theirs.getByRole('button', { name: decline }).click();
  const dialog = theirs.getByRole('dialog', { name: text('Recusar o saque') });
  await dialog.getByLabel(text('Motivo')).fill('Não conhecemos este fornecedor.');
  await dialog.getByRole('button', { name: decline }).click();
  await expect(theirs.getByText(text('Recusado por {name}', { name }), { exact: true })).toBeVisible();
  await shop.open(`/transacoes/${id}`);
  await expect(page.getByText('Não conhecemos este fornecedor.')).toBeVisible();
});
