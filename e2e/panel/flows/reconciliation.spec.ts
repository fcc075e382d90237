import { putReconciled } from '../../fixtures.ts';
import { expect, test } from '../fixtures.ts';

test('a merchant with a PSP of their own sees which day differs, by what, takes it as a file, and reads what an operator knows of it', {
  tag: '@width-independent',
}, async ({ page, shop, operatorPage: console }) => {
  const { id } = await shop.createCharge({ amount: 13 });
  await putReconciled({ accountId: shop.accountId, days: 40, transactionId: id, coins: true });
  await shop.open('/conciliacao');
  await expect(page).toHaveTitle(/Conciliação/);
  const days = page.getByRole('table', { name: 'Conciliação' });
  await expect(days.getByRole('row')).toHaveCount(32);
  const differing = days.getByRole('row', { name: /não confere/ });
  await expect(differing).toContainText(/R\$\s13,01/);
  await page.getByRole('button', { name: 'Ver dias anteriores' }).click();
  await expect(days.getByRole('row')).toHaveCount(42);

  await differing.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Conciliação do dia' })).toBeVisible();
  const received = page.getByRole('table', { name: 'Saldo e movimento' }).getByRole('row', { name: /^Recebido/ });
  await expect(received).toContainText(/−R\$\s7,44/);
  const unexplained = page.getByRole('table', { name: 'Não explicado' });
  await expect(unexplained.getByText('não está no provedor')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Explicado', exact: true }).getByText('outro dia')).toBeVisible();

  await page.getByRole('button', { name: 'Exportar' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV para Excel/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^diferencas-\d{4}-\d\d-\d\d-.*\.csv$/);
  const [dayId = ''] = /[^/]+$/.exec(new URL(page.url()).pathname) ?? [];
  await console.goto(`/operator/conciliacao/${dayId}`);
  await console.getByRole('button', { name: 'Registrar a diferença' }).click();
  const dialog = console.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill('Tarifa do contrato 12');
  await dialog.getByRole('button', { name: 'Registrar a diferença' }).click();
  await expect(console.getByText('A diferença foi registrada.')).toBeVisible();
  await page.reload();
  await expect(page.getByText(/Registrada por quem opera.*Tarifa do contrato 12/)).toBeVisible();
  await unexplained.getByRole('link', { name: 'PIX recebido' }).click();
  await expect(page).toHaveURL(new RegExp(`/transacoes/${id}`));

  await shop.open('/conciliacao');
  const coins = days.getByRole('row', { name: /USDT_TRX/ });
  await expect(coins).toContainText(/confere/);
  await coins.getByRole('link').click();
  const sent = page.getByRole('table', { name: 'Saldo e movimento' }).getByRole('row', { name: /^Enviado/ });
  await expect(sent).toContainText(/−3,00000051\sUSDT/);
  await expect(page.getByText(/ficaram com 2,0625\sUSDT em taxas/)).toBeVisible();
  const explained = page.getByRole('table', { name: 'Explicado', exact: true });
  await expect(explained.getByRole('row', { name: /Saque/ })).toHaveCount(2);
});

test('a merchant without a PSP of their own has no link to the reconciliation, and its page says what it needs', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/inicio');
  await expect(page.getByRole('link', { name: 'Prova do extrato' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Conciliação' })).toHaveCount(0);
  await shop.open('/conciliacao', 'live');
  await expect(page.getByText('Esta conta não tem um provedor próprio')).toBeVisible();
  await page.getByRole('link', { name: 'Ver provedores' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Provedores' })).toBeVisible();
});
