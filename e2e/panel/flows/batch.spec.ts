import { operator } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

const PASSWORD = 'outra frase que ninguém adivinha';
const ROWS = 50;

/** R$ 2 each; the rows of these numbers are replaced. */
const fileOf = (replaced: Record<number, string> = {}) =>
  [
    'valor;chave;tipo_chave;descricao',
    ...Array.from({ length: ROWS }, (_, at) => replaced[at + 1] ?? `2,00;p${at}@example.com;EMAIL;Novembro`),
  ].join('\r\n');

test('a batch of fifty rows is shown with its three issues, mended, approved by a second person and sent', {
  tag: '@width-independent',
}, async ({ page, shop, mailbox, browser, baseURL }) => {
  const email = `lote-${Date.now()}-${test.info().workerIndex}@example.com`;
  await operator('member', 'invite', email, '--merchant', shop.accountId, '--role', 'finance');
  await expect.poll(() => mailbox.newest(email)).toContain('http');
  const context = await browser.newContext({ locale: 'pt-BR', viewport: page.viewportSize(), baseURL: baseURL ?? '' });
  const theirs = await context.newPage();
  const link = new URL(await mailbox.link(email));
  await theirs.goto(link.pathname + link.search);
  await theirs.getByLabel('Seu nome').fill('Bia Prado');
  await theirs.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Aceitar e entrar' }).click();
  await theirs.waitForURL(/\/inicio/);

  await shop.earns(200);
  await shop.open('/limites');
  await page.getByRole('button', { name: 'Mudar', exact: true }).click();
  await page.getByLabel('Valor', { exact: true }).fill('50');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await shop.confirms();
  await expect(page.getByText(/^Acima de R\$\s50,00 um saque espera uma segunda pessoa\.$/)).toBeVisible();

  await shop.open('/sacar');
  await page.getByRole('link', { name: 'Pagar em lote, por CSV' }).click();
  const text = page.getByLabel('Ou cole o conteúdo do arquivo');
  await text.fill(
    fileOf({ 3: 'dois;p@example.com;EMAIL;', 7: '2,00;p@example.com;CPF;', 50: '2,00;p@example.com;X;' }),
  );
  await page.getByRole('button', { name: 'Conferir o lote' }).click();
  const issues = page.getByRole('table', { name: 'Erros do arquivo' });
  await expect(issues.getByRole('rowheader')).toHaveText(['4', '8', '51']);

  await page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'salarios.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${fileOf()}`) },
  });
  const summary = page.getByRole('region', { name: 'Resumo do lote' });
  await expect(summary.getByText('50 pagamentos', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pedir aprovação de 50 pagamentos' }).click();
  // The confirmation of a moment ago has not been used up.
  await page.waitForURL(/\/lotes\/[\w-]+$/);
  await expect(page.getByText('Você criou este lote', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Aprovar' })).toHaveCount(0);

  await theirs.goto(new URL(page.url()).pathname);
  await theirs.getByRole('button', { name: 'Aprovar', exact: true }).click();
  await theirs
    .getByRole('dialog', { name: 'Aprovar o lote' })
    .getByRole('button', { name: /^Aprovar R\$/ })
    .click();
  const question = theirs.getByRole('dialog', { name: 'Confirme que é você' });
  await question.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  const rows = theirs.getByRole('table', { name: 'Pagamentos do lote' });
  await expect(rows.getByRole('link', { name: /^Ver o saque/ })).toHaveCount(ROWS);
  const sums = theirs.getByRole('region', { name: 'Resumo' });
  await expect(sums.getByText('Em aberto')).toHaveCount(0, { timeout: 30_000 });
  await expect(sums.getByText('em 50 pagamentos')).toHaveCount(2);
  await context.close();
});
