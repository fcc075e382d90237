import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readCsv } from '../../../src/domain/testing/read-csv.ts';
import { expect, test } from '../fixtures.ts';

test('CSV export equals the statement', { tag: '@width-independent' }, async ({ page, shop }) => {
  await shop.earns(100.5);
  await shop.earns(20);
  await shop.post('/payments/transfers/pix', { amount: 30, pixKey: 'loja@example.com', pixKeyType: 'email' });
  await shop.open('/extrato');

  // The entries on the page add up, and end with the balance.
  await expect(page.getByTestId('statement-entry')).toHaveCount(3);
  // A withdrawal names where it goes.
  await expect(page.getByTestId('statement-entry').first()).toContainText('loja@example.com');
  const shown = await entriesOf(page);
  const figure = async (name: string) => centavos(await page.getByTestId(name).innerText());
  expect((await figure('opening')) + (await figure('credits')) + (await figure('debits'))).toBe(
    await figure('closing'),
  );
  const { body } = await shop.get('/payments/balance');
  expect(await figure('closing')).toBe(
    Math.round((body.data as { available_balance: number }).available_balance * 100),
  );

  // The file has the same entries in the reverse order: the oldest first.
  const [, ...rows] = readCsv(await downloaded(page, 'CSV para Excel'), ';');
  expect(
    rows.map(([, , , name = '', amount = '', balance = '']) => [name, centavos(amount), centavos(balance)]),
  ).toEqual(shown.toReversed());
  await expect(page.getByText('Arquivo salvo, com 3 linhas.')).toBeVisible();

  // The file for the accountant has them, too.
  const ofx = await downloaded(page, 'OFX');
  const amounts = [...ofx.matchAll(/<TRNAMT>(.*)<\/TRNAMT>/g)].map(([, amount = '']) => centavos(amount));
  expect(amounts).toEqual(shown.map(([, amount]) => amount).toReversed());
  expect(centavos(/<BALAMT>(.*)<\/BALAMT>/.exec(ofx)?.[1] ?? '')).toBe(await figure('closing'));

  // Each balance has a statement and an address of its own.
  await page.getByText('Bloqueado', { exact: true }).click();
  await expect(page).toHaveURL(/saldo=bloqueado/);
  await expect(page.getByTestId('statement-entry').first()).toContainText('Saque PIX');
  const [, ...held] = readCsv(await downloaded(page, 'CSV para programas'), ',');
  expect(held.map((row) => row[3])).toContain('pix_withdrawal_requested');

  // On paper, without the frame of the pages, it says whose it is, and which balance.
  await page.emulateMedia({ media: 'print' });
  const printed = page.locator('[data-printed]');
  const said = () => printed.evaluate((filters) => getComputedStyle(filters, '::before').content);
  await expect.poll(said).toContain(`${shop.name} · Bloqueado · Horário de Brasília`);
  expect(await said()).toContain('Modo teste');
  await page.emulateMedia({ media: null });

  // An entry leads to its transaction.
  await page.getByTestId('statement-entry').first().click();
  await expect(page).toHaveURL(/\/test\/transacoes\//);
});

/** Name, amount and balance of each entry that the page shows, from the top. */
async function entriesOf(page: Page): Promise<[string, number, number][]> {
  const entries = await page.getByTestId('statement-entry').all();
  return Promise.all(
    entries.map(async (entry): Promise<[string, number, number]> => {
      const field = (name: string) => entry.getByTestId(name).innerText();
      return [await field('name'), centavos(await field('amount')), centavos(await field('balance'))];
    }),
  );
}

async function downloaded(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Exportar', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** `−R$ 1.234,56`, `-1234,56` and `-1234.56` alike. */
function centavos(text: string): number {
  const sign = /[-\u2212]/.test(text) ? -1 : 1;
  return sign * Number(text.replace(/\D/g, ''));
}
