import { readFileSync } from 'node:fs';
import { expect, operator, test } from '../fixtures.ts';

const REASON = 'Denúncia em apuração';

test('the audit log is searched and saved, by a member for their business and by an operator for all of them', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, operatorPage: console, text, formats }) => {
  await operator('account', 'suspend', shop.accountId, '--reason', REASON);
  await operator('account', 'resume', shop.accountId);
  const suspended = text('Conta suspensa');

  await shop.open('/seguranca');
  const activity = page.getByRole('region', { name: text('O que foi feito') });
  await activity.getByRole('searchbox', { name: text('O que foi feito') }).fill(suspended.toLowerCase());
  await expect(activity.getByText(suspended)).toBeVisible();
  await expect(activity.getByText(`${text('motivo')}: ${REASON}`)).toBeVisible();
  await expect(activity.getByText(text('Fim da suspensão'))).toHaveCount(0);
  await activity.getByRole('button', { name: text('Exportar') }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: text('CSV para programas') }).click();
  const file = readFileSync(await (await saved).path(), 'utf8');
  expect(file).toContain('"account.suspended"');
  expect(file.trim().split('\r\n')).toHaveLength(2);
  await activity.getByLabel(text('Quem')).fill('ninguém assim');
  await expect(activity.getByText(text('Nada com esses filtros.'))).toBeVisible();

  await console.getByRole('link', { name: text('Auditoria') }).click();
  await console.getByRole('searchbox', { name: text('O que foi feito') }).fill(suspended.slice(0, -1));
  await console.getByLabel(text('Negócio: nome ou id')).fill(shop.name);
  const row = console.getByRole('row').filter({ hasText: REASON }).first();
  await expect(row).toContainText(suspended);
  await expect(row).toContainText(text('operador'));
  // Amounts are shown as amounts, and codes in words, however they were recorded.
  const limit = ['--limit', 'daily_limit_out_pix=5000'];
  await operator('account', 'set', shop.accountId, ...limit, '--fee', 'pix_out=150bps+25', '--kyc', 'rejected');
  await console.getByRole('searchbox', { name: text('O que foi feito') }).fill('');
  const set = console
    .getByRole('row')
    .filter({ hasText: text('limite diário de saque PIX') })
    .first();
  await expect(set).toContainText(formats.reais(5000));
  await expect(set).toContainText(`+ ${formats.reais(0.25)}`);
  await expect(set).toContainText(`${text('verificação')}: ${text('Verificação recusada')}`);
  await console.getByRole('searchbox', { name: text('O que foi feito') }).fill(suspended.slice(0, -1));
  await expect(row).toBeVisible();
  const audit = console.waitForEvent('download');
  await console.getByRole('link', { name: text('Exportar CSV') }).click();
  expect(readFileSync(await (await audit).path(), 'utf8')).toContain(`reason: ${REASON}`);
});
