import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** Presses Escape once the dialog has the focus, and waits until it is gone. */
async function closeByEscape(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('Escape closes the topmost dialog alone, and the focus goes back to the control that opened it', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const { id: paid } = await shop.createCharge({ amount: 30 });
  await shop.pays(paid);
  const { id: pending } = await shop.createCharge({ amount: 31 });

  // Over a drawer, which stays.
  await shop.open(`/transacoes/${paid}`);
  const refund = page.getByRole('button', { name: 'Estornar' });
  await refund.focus();
  await page.keyboard.press('Enter');
  await closeByEscape(page, 'Estornar cobrança');
  await expect(refund).toBeFocused();
  await refund.click();
  await expect(page.getByRole('dialog', { name: 'Estornar cobrança' }).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('textbox', { name: 'Buscar páginas, ações e transações' });
  await expect(palette).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await closeByEscape(page, 'Estornar cobrança');
  await expect(refund).toBeFocused();
  // What was typed is dropped by the button alone.
  await refund.click();
  const reason = page.getByLabel('Mensagem ao pagador');
  await reason.fill('Tamanho errado');
  await page.keyboard.press('Escape');
  await expect(reason).toHaveValue('Tamanho errado');
  await page.getByRole('button', { name: 'Voltar' }).click();
  await expect(reason).toHaveCount(0);

  // From a menu, whose entry is gone: to the menu's button.
  await shop.open(`/transacoes/${pending}`);
  const more = page.getByRole('button', { name: 'Mais ações' });
  for (const _time of ['with the menu loaded', 'again']) {
    await more.click();
    await page.getByRole('menuitem', { name: 'Cancelar cobrança' }).click();
    await closeByEscape(page, 'Cancelar cobrança');
    await expect(more).toBeFocused();
  }

  // The list of the keys, opened from a control and from the palette, which is gone by then.
  await shop.open('/chaves');
  const create = page.getByRole('button', { name: 'Nova chave' });
  await create.focus();
  await page.keyboard.press('?');
  await closeByEscape(page, 'Atalhos do teclado');
  await expect(create).toBeFocused();
  await page.keyboard.press('Control+k');
  await palette.fill('atalhos');
  await page.keyboard.press('Enter');
  await closeByEscape(page, 'Atalhos do teclado');
  await expect(create).toBeFocused();
});

test('the list of the keys has those of the pages that the member’s role may open, and no others', {
  tag: '@width-independent',
}, async ({ page, shop, colleague }) => {
  const keysOf = async (at: Page) => {
    await at.getByRole('heading', { level: 1 }).waitFor();
    await at.keyboard.press('?');
    return at.getByRole('dialog', { name: 'Atalhos do teclado' });
  };
  await shop.open('/inicio');
  const own = await keysOf(page);
  await expect(own.getByText('Sacar', { exact: true })).toBeVisible();
  await expect(own.getByText('Chaves de API', { exact: true })).toBeVisible();
  const { page: theirs } = await colleague('viewer');
  await theirs.goto('/test/inicio');
  // Nor does the empty page ask them for what they may not do.
  await expect(theirs.getByText('Nada foi cobrado nem enviado ainda')).toBeVisible();
  await expect(theirs.getByText('Faça a primeira cobrança')).toHaveCount(0);
  const list = await keysOf(theirs);
  await expect(list.getByText('Transações', { exact: true })).toBeVisible();
  await expect(list.getByText('Sacar', { exact: true })).toHaveCount(0);
  await expect(list.getByText('Nova cobrança', { exact: true })).toHaveCount(0);
});

test('an open drawer is printed whole and alone, as it is on the screen', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  const { id } = await shop.createCharge({ amount: 30 });
  await shop.open(`/transacoes/${id}`);
  const drawer = page.getByRole('dialog', { name: 'Transação' });
  await expect(drawer.getByText(id)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // A sheet is narrower than the window, and lower than the drawer's content.
  await page.setViewportSize({ width: 700, height: 200 });
  await expect(drawer.getByText(id)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  const { height, bottom } = await drawer.evaluate((element) => ({
    height: element.scrollHeight - element.clientHeight,
    bottom: element.getBoundingClientRect().bottom,
  }));
  expect(height).toBe(0);
  expect(bottom).toBeGreaterThan(200);
});

test('a button keeps the keyboard’s focus while what it sends is under way, and sends it once', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  let sent = 0;
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/trpc/test/charges.create*', async (route) => {
    sent += 1;
    await isAnswered;
    await route.continue();
  });
  await shop.open('/cobrar');
  await page.getByLabel('Valor em reais').fill('10');
  const button = page.getByRole('button', { name: 'Cobrar R$ 10,00' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => sent).toBe(1);
  await expect(button).toBeDisabled();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByLabel('Valor em reais').press('Enter');
  answer();
  await expect(page.getByRole('heading', { name: 'Cobrança criada' })).toBeVisible();
  expect(sent).toBe(1);

  // A double click on a dialog's button, too.
  const { id } = await shop.createCharge({ amount: 12 });
  await shop.pays(id);
  await shop.open(`/transacoes/${id}`);
  let refunds = 0;
  page.on('request', (request) => void (request.url().includes('transactions.refund') && refunds++));
  await page.getByRole('button', { name: 'Estornar', exact: true }).click();
  await page.getByRole('button', { name: /^Estornar R/ }).dblclick();
  await expect(page.getByRole('dialog', { name: 'Confirme que é você' })).toBeVisible();
  expect(refunds).toBe(1);
});
