import { expect, test } from '../fixtures.ts';

/** The BR Code reader: what a merchant's developer pastes, and what the page answers. */

test('a code of one’s own charge is read: whose PSP, how much, which checksum', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  const charge = await shop.createCharge({ amount: 37.25 });
  const { body } = await shop.get(`/payments/transactions/${charge.id}`);
  const { qr_code: code } = (body.data as { pix: { qr_code: string } }).pix;
  await shop.open('/br-code');
  await page.getByLabel('Código PIX copia e cola').fill(`  ${code.slice(0, 50)}\n${code.slice(50)} \n`);
  await expect(page.getByRole('status').filter({ hasText: 'Código válido' })).toBeVisible();
  const says = page.getByRole('region', { name: 'O que o código diz' });
  await expect(says).toContainText('Dinâmico');
  await expect(says).toContainText('37,25');
  await expect(says).toContainText(`${code.slice(-4)}, correto`);
  await expect(page.getByRole('row', { name: /26\.25.*Endereço da cobrança no PSP/ })).toBeVisible();
});

test('a changed amount is found out by the checksum, which is named and marked in the text', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/br-code');
  await page.getByRole('button', { name: 'um código bom' }).click();
  await expect(page.getByText('Código válido')).toBeVisible();
  const input = page.getByLabel('Código PIX copia e cola');
  const good = await input.inputValue();
  await input.fill(good.replace('100.50', '900.50'));
  await expect(page.getByRole('status').filter({ hasText: '1 defeito' })).toBeVisible();
  const issues = page.getByRole('region', { name: 'O que há de errado' });
  await expect(issues.getByRole('listitem')).toContainText(`CRC incorreto: consta ${good.slice(-4)}`);
  await expect(issues.locator('mark')).toHaveText(new RegExp(`^${good.slice(-4)}`));
});

test('a text that is no code is answered with a sentence, and can be cleared', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  await shop.open('/br-code');
  await page.getByLabel('Código PIX copia e cola').fill('<img src=x onerror=alert(1)>');
  await expect(page.getByText('Isto não é um BR Code')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
  await page.getByRole('button', { name: 'Limpar' }).click();
  await expect(page.getByText('Nenhum código ainda')).toBeVisible();
});

test('a code of Pix Automático is read as an authorisation: its journey, and where the authorisation is', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/br-code');
  await page.getByRole('button', { name: 'um de Pix Automático' }).click();
  await expect(page.getByText('Código válido')).toBeVisible();
  const says = page.getByRole('region', { name: 'O que o código diz' });
  await expect(says).toContainText('pede uma autorização recorrente');
  await expect(says).toContainText('Jornada 2');
  await expect(says).toContainText('pix.example.com/qr/v2/rec/');
  await expect(page.getByRole('row', { name: /80\.25.*Endereço da autorização no PSP/ })).toBeVisible();
});
