import { expect, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

test('credentials connected: wrong ones are rejected, right ones saved, and a charge goes over them', {
  tag: '@width-independent',
}, async ({ page, shop, browser, baseURL }) => {
  await shop.open('/provedores', 'live');
  const pix = page.getByRole('region', { name: 'PIX', exact: true });
  await expect(pix).toContainText('Hoje passa pelo simulador desta instalação.');
  await pix.getByRole('button', { name: 'Conectar' }).click();
  const form = page.getByRole('dialog', { name: 'Conectar um provedor PIX' });
  await form.getByRole('button', { name: 'Usar as credenciais do simulador' }).click();
  await form.getByLabel('Client secret', { exact: true }).fill('não é este');
  await form.getByRole('button', { name: 'Testar e conectar' }).click();
  await shop.confirms();
  await expect(form.getByRole('alert')).toContainText('O provedor não aceitou. Nada foi salvo.');
  await expect(form.getByRole('listitem').filter({ hasText: 'Criar cobranças' })).toContainText(
    'Credenciais recusadas',
  );

  await form.getByRole('button', { name: 'Usar as credenciais do simulador' }).click();
  await form.getByRole('button', { name: 'Testar e conectar' }).click();
  await expect(form).toBeHidden();
  await expect(pix).toContainText('Credenciais próprias');
  await expect(pix).toContainText('Maria da Silva');

  await shop.open('/cobrar', 'live');
  await page.getByLabel('Valor em reais').fill('100,50');
  await page.getByRole('button', { name: 'Cobrar R$ 100,50' }).click();
  await page.getByRole('button', { name: 'Pagar como o cliente pagaria' }).click();
  await expect(page.getByText('O valor líquido já está no saldo disponível.').first()).toBeVisible();

  const context = await browser.newContext({
    ...{ baseURL: baseURL ?? '', locale: 'en-US', viewport: page.viewportSize() },
    storageState: await page.context().storageState(),
  });
  const english = await context.newPage();
  await english.goto('/live/provedores');
  await expect(english.getByRole('region', { name: 'PIX', exact: true })).toContainText('Your own credentials');
  await expect(english.getByRole('button', { name: 'Replace credentials' })).toBeVisible();
  await context.close();
});
