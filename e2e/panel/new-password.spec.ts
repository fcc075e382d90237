import { expect, test } from './fixtures.ts';

test('who forgot their password makes another one by a link, which says that it is over once it was used', async ({
  page,
  shop,
  mailbox,
}) => {
  const PASSWORD = 'outra frase que ninguém adivinha';
  await page.context().clearCookies();
  await page.goto('/senha');
  await page.getByLabel('E-mail').fill(shop.email);
  await page.getByRole('button', { name: 'Enviar link' }).click();
  await expect(page.getByText(`Se houver uma conta com ${shop.email}`)).toBeVisible();
  await expect.poll(() => mailbox.link(shop.email)).toContain('/senha/nova');
  const { pathname, search } = new URL(await mailbox.link(shop.email));
  await page.goto(pathname + search);
  await expect(page.getByText(shop.email)).toBeVisible();
  await page.getByLabel('Nova senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Trocar a senha' }).click();
  await expect(page.getByText('Senha trocada. Entre com ela.')).toBeVisible();

  await page.goto(pathname + search);
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
  await expect(page.getByLabel('Nova senha')).toHaveCount(0);
  await page.getByRole('link', { name: 'Pedir outro' }).click();
  await expect(page.getByRole('heading', { name: 'Crie uma nova senha' })).toBeVisible();
});
