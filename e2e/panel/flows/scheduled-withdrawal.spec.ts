import { expect, test } from '../fixtures.ts';

/** Any date from tomorrow on is valid; a month ahead is one in every time zone. */
const AHEAD_MS = 30 * 24 * 3_600_000;

test('a PIX is scheduled every month, its receipt says that nothing was sent, and it is cancelled', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const date = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 10);
  const day = date.split('-').reverse().join('/');
  await shop.earns(100);
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('maria@example.com');
  // More than the balance: the money has to be there on the date only.
  await page.getByLabel('Quanto enviar').fill('400');
  await page.getByLabel('Agendar para outro dia').check();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText('Escolha a data do envio.')).toBeVisible();
  await page.getByLabel('Data do envio').fill(day);
  await page.getByLabel('Repetir').selectOption('Todo mês');
  await page.getByLabel('Quantos saques ao todo').fill('3');
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  await expect(page.getByText(`${day} às 08:00, todo mês, 3 vezes`)).toBeVisible();
  // Nor does the balance become less before that date.
  await expect(page.getByText('Nada é bloqueado: o valor precisa estar no saldo nessa hora')).toBeVisible();
  await expect(page.getByText('Saldo disponível agora')).toBeVisible();
  await expect(page.getByText('Saldo depois do saque')).toHaveCount(0);
  await page.getByRole('button', { name: 'Agendar R$ 400,00' }).click();
  // What is confirmed is all of the repetition.
  const approving = page.getByRole('region', { name: 'Você está aprovando' });
  for (const said of ['Agendar um PIX', 'todo mês, 3 vezes']) await expect(approving).toContainText(said);
  await shop.confirms();
  await expect(page.getByText('Saque agendado', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Comprovante de agendamento' }).click();
  await expect(page.getByRole('heading', { name: 'Agendamento Pix' })).toBeVisible();
  await expect(page.getByText('Este PIX ainda não foi enviado', { exact: false })).toBeVisible();

  await shop.open('/transacoes?status=scheduled');
  await page.getByRole('link', { name: 'maria@example.com' }).click();
  const hint = page.getByRole('paragraph').filter({ hasText: `Agendado para ${day} às 08:00.` });
  await expect(hint).toBeVisible();
  await expect(page.getByText('Repetição: todo mês, 3 vezes; este é o 1º')).toBeVisible();
  await page.getByRole('button', { name: 'Mais ações' }).click();
  await page.getByRole('menuitem', { name: 'Cancelar agendamento' }).click();
  const question = page.getByRole('dialog', { name: 'Cancelar agendamento' });
  await question.getByRole('button', { name: 'Cancelar agendamento' }).click();
  const cancelled = page.getByRole('paragraph').filter({ hasText: 'Cancelado antes de começar' });
  await expect(cancelled).toBeVisible();
  const { body } = await shop.get('/payments/transactions?type=pix_out');
  expect(body.data).toMatchObject([{ amount: 400, status: 'cancelled', sub_status: null }]);
});
