import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

test('what was done is searched and saved, by a member of their own and by an operator of everybody', {
  tag: '@width-independent',
}, async ({ page, shop, operatorPage: console }) => {
  await console.goto('/operator/contas');
  await console.getByLabel('Nome, e-mail ou identificador').fill(shop.accountId);
  await expect(console.getByRole('link', { name: shop.name })).toHaveCount(1);
  await console.getByRole('link', { name: shop.name }).click();
  await console.getByRole('button', { name: 'Suspender' }).click();
  await console.getByRole('dialog').getByLabel('Motivo').fill('Denúncia em apuração');
  await console.getByRole('dialog').getByRole('button', { name: 'Suspender' }).click();
  await expect(console.getByText('Conta suspensa.')).toBeVisible();
  await console.getByRole('button', { name: 'Reativar' }).click();
  await expect(console.getByText('Conta reativada.')).toBeVisible();

  await shop.open('/seguranca');
  const activity = page.getByRole('region', { name: 'O que foi feito' });
  await activity.getByLabel('O que foi feito').fill('conta suspensa');
  await expect(activity.getByText('Conta suspensa')).toBeVisible();
  await expect(activity.getByText('motivo: Denúncia em apuração')).toBeVisible();
  await expect(activity.getByText('Fim da suspensão')).toHaveCount(0);
  await activity.getByRole('button', { name: 'Exportar' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /programas/i }).click();
  const file = readFileSync(await (await saved).path(), 'utf8');
  expect(file).toContain('"account.suspended"');
  expect(file.trim().split('\r\n')).toHaveLength(2);
  await activity.getByLabel('Quem').fill('ninguém assim');
  await expect(activity.getByText('Nada com esses filtros.')).toBeVisible();

  await console.getByRole('link', { name: 'Auditoria' }).click();
  await console.getByLabel('O que foi feito').fill('suspens');
  await console.getByLabel('Negócio').fill(shop.name);
  const row = console.getByRole('row').filter({ hasText: 'Denúncia em apuração' }).first();
  await expect(row).toContainText('Conta suspensa');
  await expect(row).toContainText('operador');
  const audit = console.waitForEvent('download');
  await console.getByRole('link', { name: 'Exportar CSV' }).click();
  expect(readFileSync(await (await audit).path(), 'utf8')).toContain('reason: Denúncia em apuração');
});
