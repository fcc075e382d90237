import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A list of the panel: one of its rows, a text in it that is no link, and where the row leads. */
type List = { path: string; row: (page: Page) => Locator; text: (row: Locator) => Locator; leadsTo: RegExp };

const byCell = (row: Locator) => row.getByRole('cell').last();
const LISTS: List[] = [
  {
    path: '/transacoes',
    row: (page) => page.getByRole('row', { name: /Pedido 42/ }),
    text: byCell,
    leadsTo: /\/transacoes\/[0-9a-f-]{36}$/,
  },
  {
    path: '/inicio',
    row: (page) => page.getByRole('listitem').filter({ hasText: 'Pedido 42' }),
    text: (row) => row.getByText('Cobrança PIX'),
    leadsTo: /\/transacoes\/[0-9a-f-]{36}$/,
  },
  {
    path: '/extrato',
    row: (page) => page.getByTestId('statement-entry').first(),
    text: (row) => row.getByTestId('balance'),
    leadsTo: /\/transacoes\/[0-9a-f-]{36}$/,
  },
  {
    path: '/requisicoes',
    row: (page) => page.getByRole('row', { name: /POST/ }).first(),
    text: byCell,
    leadsTo: /\?requisicao=\w+$/,
  },
  {
    path: '/webhooks',
    row: (page) => page.getByRole('row', { name: /Cobrança paga/ }),
    text: byCell,
    leadsTo: /\?entrega=[0-9a-f-]{36}$/,
  },
];

test('a row of any list is a link: by mouse, by keyboard, in another tab; its text can be selected', async ({
  page,
  shop,
  payerPays,
  receiver,
}) => {
  const charge = await shop.createCharge({ amount: 42, description: 'Pedido 42', callbackUrl: receiver.url });
  await payerPays(charge);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  for (const { path, row, text, leadsTo } of LISTS) {
    await test.step(path, async () => {
      await shop.open(path);
      const found = row(page);
      const inRow = text(found);
      const isList = () => expect(page).toHaveURL(new RegExp(`${path}$`));
      await inRow.click();
      await expect(page).toHaveURL(leadsTo);
      // Back to the list, without loading it again.
      await page.goBack();
      await isList();

      await found.getByRole('link').first().focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(leadsTo);
      await page.goBack();
      await isList();

      await opensTab(page, () => inRow.click({ button: 'middle' }), leadsTo);
      await opensTab(page, () => inRow.click({ modifiers: ['ControlOrMeta'] }), leadsTo);
      await isList();

      await select(page, inRow);
      expect(await page.evaluate(() => window.getSelection()?.toString().trim())).not.toBe('');
      await isList();
    });
  }

  await test.step('what is a link in a row leads to its own place', async () => {
    await shop.open('/webhooks');
    const row = page.getByRole('row', { name: /Cobrança paga/ });
    await row.getByRole('link').nth(1).click();
    await expect(page).toHaveURL(new RegExp(`/transacoes/${charge.id}$`));
  });
});

test('more rows take the keyboard to the first of them, and a screen reader hears how many came', async ({
  page,
  shop,
}) => {
  const charges = 52;
  for (let n = 0; n < charges; n++) await shop.createCharge({ amount: 10 });
  await shop.open('/transacoes');
  const rows = page.locator('tbody tr');
  await expect(rows).toHaveCount(50);
  const more = page.getByRole('button', { name: 'Carregar mais' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(charges);
  await expect(more).toHaveCount(0);
  await expect(rows.nth(50).getByRole('link')).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: `Mais 2 linhas; ${charges} na lista` })).toBeAttached();
});

test('what changes while more rows come is in the list when they have come', async ({ page, shop }) => {
  for (let n = 0; n < 51; n++) await shop.createCharge({ amount: 10 });
  await shop.open('/transacoes');
  const rows = page.locator('tbody tr');
  await expect(rows).toHaveCount(50);
  // Another tab of the same person shows when an event has come.
  const other = await page.context().newPage();
  await other.goto('/test/transacoes');
  await expect(other.locator('tbody tr')).toHaveCount(50);
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const isNextPage = /transactions\.list.*cursor/;
  await page.route(isNextPage, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(isNextPage);
  await page.getByRole('button', { name: 'Carregar mais' }).click();
  await asked;
  await shop.createCharge({ amount: 12, description: 'Pedido no meio' });
  await expect(other.getByRole('link', { name: /Pedido no meio/ })).toBeVisible();
  arrive();
  await expect(rows).toHaveCount(52);
  await expect(page.getByRole('link', { name: /Pedido no meio/ })).toBeVisible();
});

async function opensTab(page: Page, act: () => Promise<void>, address: RegExp): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await act();
  const tab = await opened;
  // What it then shows is another test's matter.
  await tab.waitForURL(address, { waitUntil: 'commit' });
  await tab.close();
}

/** Drags the mouse over the first line of a text. */
async function select(page: Page, text: Locator): Promise<void> {
  const box = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right, top, bottom } = range.getClientRects()[0] ?? range.getBoundingClientRect();
    return { left, right, middle: (top + bottom) / 2 };
  });
  await page.mouse.move(box.left + 1, box.middle);
  await page.mouse.down();
  await page.mouse.move((box.left + box.right) / 2, box.middle, { steps: 4 });
  await page.mouse.move(box.right - 1, box.middle, { steps: 4 });
  await page.mouse.up();
}
