import type { Page } from '@playwright/test';
import { operator } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

const PASSWORD = 'outra frase que ninguém adivinha';

test('a withdrawal that one member asks for is sent when another one approves it, and not before', {
  tag: '@width-independent',
}, async ({ page, shop, mailbox, browser, baseURL }) => {
  const email = `financeiro-${Date.now()}-${test.info().workerIndex}@example.com`;
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

  // The owner says from which amount on; a lower one applies at once.
  await shop.earns(200);
  await shop.open('/limites');
  await expect(page.getByText('Nenhum saque espera aprovação.')).toBeVisible();
  await page.getByRole('button', { name: 'Mudar', exact: true }).click();
  await page.getByLabel('Valor', { exact: true }).fill('50');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await shop.confirms();
  await expect(page.getByText(/^Acima de R\$\s50,00 um saque espera uma segunda pessoa\.$/)).toBeVisible();

  // The form says before it is sent that it will wait; who asks can't approve.
  await shop.open('/sacar');
  await page.getByLabel('Chave PIX de quem recebe').fill('maria@example.com');
  await page.getByLabel('Quanto enviar').fill('60');
  await expect(page.getByText(/Acima de R\$\s50,00 um saque espera a aprovação/)).toBeVisible();
  await page.getByRole('button', { name: 'Conferir o saque' }).click();
  // The confirmation of a moment ago has not been used up.
  await page.getByRole('button', { name: 'Sacar R$ 60,00' }).click();
  await expect(page.getByText('Saque espera aprovação')).toBeVisible();
  await page.getByRole('link', { name: 'Ver a transação' }).click();
  await expect(page.getByText('Você pediu este saque', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Recusar' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Aprovar' })).toHaveCount(0);

  // The second person finds it on the first page.
  await theirs.goto('/test/inicio');
  await expect(theirs.getByText(/^Um saque de R\$\s60,00 espera aprovação/)).toBeVisible();
  await theirs.getByRole('link', { name: 'Decidir' }).click();
  await theirs.getByRole('button', { name: 'Aprovar', exact: true }).click();
  await theirs.getByRole('button', { name: /^Aprovar R\$\s60,00$/ }).click();
  await confirmed(theirs);
  await expect(theirs.getByText(/^Aprovado por Bia Prado$/)).toBeVisible();
  const sent = page.getByRole('paragraph').filter({ hasText: 'Quem recebe já tem o valor.' });
  await expect(sent).toBeVisible({ timeout: 20_000 });
  const { body } = await shop.get('/payments/transactions?type=pix_out');
  expect(body.data).toMatchObject([{ amount: 60, status: 'paid', sub_status: null }]);

  // Another one is declined: the reason is there for who asked, and the money is back.
  const asked = await shop.post('/payments/transfers/pix', {
    ...{ amount: 70, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  const { transaction_id: id } = asked.body.data as { transaction_id: string };
  await theirs.goto(`/test/transacoes/${id}`);
  await theirs.getByRole('button', { name: 'Recusar' }).click();
  await theirs.getByLabel('Motivo').fill('Não conhecemos este fornecedor.');
  await theirs.getByRole('dialog', { name: 'Recusar o saque' }).getByRole('button', { name: 'Recusar' }).click();
  await expect(theirs.getByText('Recusado por Bia Prado')).toBeVisible();
  await shop.open(`/transacoes/${id}`);
  await expect(page.getByText('Não conhecemos este fornecedor.')).toBeVisible();
  await context.close();
});

async function confirmed(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirme que é você' });
  await expect(question.getByRole('region', { name: 'Você está aprovando' })).toContainText('Aprovar um saque');
  await question.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}
