import { expect, signOutAtOnce, test, untilSendable } from './fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

// ASVS 6.2.6, 6.2.7
test('the field of a password hides what is in it until that is shown, and takes what is pasted as it is', {
  tag: '@width-independent',
}, async ({ page }) => {
  await signOutAtOnce(page);
  await page.goto('/entrar');
  await untilSendable(page);
  const field = page.getByLabel('Senha', { exact: true });
  await expect(field).toHaveAttribute('type', 'password');
  await expect(field).toHaveAttribute('autocomplete', 'current-password');
  const pasted = ' Uma frase, colada ';
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(field).toHaveValue(pasted);
  const show = page.getByRole('button', { name: 'Mostrar ou esconder o que foi digitado' });
  await show.click();
  await expect(field).toHaveAttribute('type', 'text');
  await show.click();
  await expect(field).toHaveAttribute('type', 'password');
});

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
  const field = page.getByLabel('Nova senha');
  await expect(field).toHaveAttribute('type', 'password');
  await expect(field).toHaveAttribute('autocomplete', 'new-password');
  await field.fill(PASSWORD);
  await page.getByRole('button', { name: 'Trocar a senha' }).click();
  await expect(page.getByText('Senha trocada. Entre com ela.')).toBeVisible();

  await page.goto(pathname + search);
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
  await expect(page.getByLabel('Nova senha')).toHaveCount(0);
  await page.getByRole('link', { name: 'Pedir outro' }).click();
  await expect(page.getByRole('heading', { name: 'Crie uma nova senha' })).toBeVisible();
});
