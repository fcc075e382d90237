import { operatorJson } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test('a notice arrives at the bell as it happens, leads to what it is about, and is read', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/extrato');
  const bell = page.getByRole('banner').getByRole('button', { name: /^Avisos/ });
  await expect(bell).toHaveAccessibleName('Avisos');
  await operatorJson('key', 'create', '--account', shop.accountId, '--name', 'Caixa 2');
  await expect(bell).toHaveAccessibleName('Avisos, 1 não lido');
  // With the keyboard alone: Enter opens the menu, and follows the notice.
  await bell.press('Enter');
  const item = page.getByRole('menuitem', { name: /^Não lido: Uma chave de API foi criada/ });
  await expect(item).toContainText('Caixa 2');
  await expect(page.getByRole('menuitem', { name: 'Marcar todos como lidos' })).toBeVisible();
  await item.press('Enter');
  await expect(page).toHaveURL(/\/test\/chaves$/);
  await expect(bell).toHaveAccessibleName('Avisos');
  await bell.click();
  await expect(page.getByRole('menuitem', { name: /^Uma chave de API foi criada/ })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Marcar todos como lidos' })).toBeHidden();
});
