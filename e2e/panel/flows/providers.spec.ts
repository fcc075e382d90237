import { expect, test } from '../fixtures.ts';

test('wrong credentials are rejected, right ones saved, and a charge goes over them', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, text, formats }) => {
  await shop.open('/provedores', 'live');
  const pix = page.getByRole('region', { name: 'PIX', exact: true });
  await expect(pix).toContainText(text('Hoje passa pelo sandbox desta instalação.'));
  await pix.getByRole('button', { name: text('Conectar') }).click();
  const form = page.getByRole('dialog', { name: text('Conectar um provedor PIX') });
  await form.getByRole('button', { name: text('Usar as credenciais do sandbox') }).click();
  await form.getByLabel(text('Client secret'), { exact: true }).fill('não é este');
  await form.getByRole('button', { name: text('Testar e conectar') }).click();
  await shop.confirms();
  await expect(form.getByRole('alert')).toContainText(text('O provedor não aceitou. Nada foi salvo.'));
  await expect(form.getByRole('listitem').filter({ hasText: text('Criar cobranças') })).toContainText(
    text('Credenciais recusadas'),
  );

  await form.getByRole('button', { name: text('Usar as credenciais do sandbox') }).click();
  await form.getByRole('button', { name: text('Testar e conectar') }).click();
  await expect(form).toBeHidden();
  await expect(pix).toContainText(text('Credenciais próprias'));
  await expect(pix).toContainText('Maria da Silva');
  await expect(pix.getByRole('button', { name: text('Trocar credenciais') })).toBeVisible();

  await shop.open('/cobrar', 'live');
  await page.getByLabel(text('Valor em reais')).fill(formats.typedReais(100.5));
  const charge = text('Cobrar {amount}', { amount: formats.reais(100.5) }, 'panel.newCharge');
  await page.getByRole('button', { name: charge }).click();
  await page.getByRole('button', { name: text('Pagar como o cliente pagaria') }).click();
  await expect(page.getByText(text('O valor líquido já está no saldo disponível.')).first()).toBeVisible();

  await shop.open('/seguranca', 'live');
  const activity = page.getByRole('region', { name: text('O que foi feito') });
  await expect(activity.getByText(`${text('provedor')}: ${text('Sandbox')}`)).toBeVisible();
  await expect(activity.getByText(`${text('campos')}: Client ID, Client secret, ${text('chave PIX')}`)).toBeVisible();
});
