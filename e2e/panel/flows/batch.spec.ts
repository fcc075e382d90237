import { expect, test } from '../fixtures.ts';

const ROWS = 50;

/** A file with rows of R$ 2 each; the rows of these numbers are replaced. */
const fileOf = (replaced: Record<number, string> = {}) =>
  [
    'valor;chave;tipo_chave;descricao',
    ...Array.from({ length: ROWS }, (_, at) => replaced[at + 1] ?? `2,00;p${at}@example.com;EMAIL;Novembro`),
  ].join('\r\n');

test('a batch of fifty rows is shown with its three issues, mended, approved by a second person and sent', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, colleague, text, formats }) => {
  const { page: theirs, confirms } = await colleague('finance');
  await shop.earns(200);
  await shop.asksForApprovalAbove(50);

  await shop.open('/sacar');
  await page.getByRole('link', { name: text('Pagar em lote, por CSV') }).click();
  await page
    .getByLabel(text('Ou cole o conteúdo do arquivo'))
    .fill(fileOf({ 3: 'dois;p@example.com;EMAIL;', 7: '2,00;p@example.com;CPF;', 50: '2,00;p@example.com;X;' }));
  // What was pasted outlives a reload, as of a member whose session ended.
  await page.reload();
  await expect(page.getByLabel(text('Ou cole o conteúdo do arquivo'))).toHaveValue(/dois;p@example\.com/);
  await page.getByRole('button', { name: text('Conferir o lote') }).press('Enter');
  const issues = page.getByRole('table', { name: text('Erros do arquivo') });
  // What comes in the button's place has the focus that it had.
  await expect(page.locator(':focus').filter({ has: issues })).toBeVisible();
  await expect(issues.getByRole('rowheader')).toHaveText(['4', '8', '51']);

  const file = page.locator('input[type="file"]');
  await file.setInputFiles({
    ...{ name: 'salarios.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${fileOf()}`) },
  });
  // A browser says nothing when the same file is chosen, mended, while the field still has it.
  await expect(file).toHaveValue('');
  const summary = page.getByRole('region', { name: text('Resumo do lote') });
  const fifty = text('{count, plural, one {# pagamento} other {# pagamentos}}', { count: ROWS });
  await expect(summary.getByText(fifty, { exact: true })).toBeVisible();
  const sum = formats.reais(2 * ROWS);
  const ask =
    '{count, plural, one {Pedir aprovação de {amount} em # pagamento} other {Pedir aprovação de {amount} em # pagamentos}}';
  await page.getByRole('button', { name: text(ask, { count: ROWS, amount: sum }) }).click();
  // No new confirmation is asked for: the one for the threshold still holds.
  await page.waitForURL(/\/lotes\/[\w-]+$/);
  await expect(page.getByText(text('Você criou este lote: outra pessoa precisa aprová-lo.'))).toBeVisible();
  const approve = text('Aprovar', {}, 'panel.batches');
  await expect(page.getByRole('button', { name: approve })).toHaveCount(0);

  await theirs.goto(new URL(page.url()).pathname);
  await theirs.getByRole('button', { name: approve, exact: true }).click();
  const dialog = theirs.getByRole('dialog', { name: text('Aprovar o lote') });
  await dialog.getByRole('button', { name: text('Aprovar {amount}', { amount: sum }), exact: true }).click();
  await confirms();
  const rows = theirs.getByRole('table', { name: text('Pagamentos do lote') });
  const links = rows.getByRole('link', { name: text('Ver o saque {number}', { number: '' }) });
  await expect(links).toHaveCount(ROWS);
  const sums = theirs.getByRole('region', { name: text('Resumo', {}, 'panel.batches') });
  await expect(sums.getByText(text('Em aberto'))).toHaveCount(0, { timeout: 60_000 });
  const inFifty = text('{count, plural, one {em # pagamento} other {em # pagamentos}}', { count: ROWS });
  await expect(sums.getByText(inFifty)).toHaveCount(2);
  // Who made it sees so without a reload.
  await expect(page.getByText(text('Você criou este lote: outra pessoa precisa aprová-lo.'))).toHaveCount(0);
  await expect(page.getByText(inFifty)).toHaveCount(2);
});
