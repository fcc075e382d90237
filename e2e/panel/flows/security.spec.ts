import type { Page } from 'playwright';
import { expect, signOutAtOnce, test, untilSendable } from '../fixtures.ts';

test('two-step verification is set up, asked for at the next sign-in, and replaced by a recovery code for a lost phone', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const { code, recoveryCodes } = await shop.setsUpSecondFactor();
  await expect(page.getByText('Ativo', { exact: true })).toBeVisible();
  expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);

  const signIn = async () => {
    await signOutAtOnce(page);
    await page.goto('/entrar');
    await untilSendable(page);
    await page.getByLabel('E-mail').fill(shop.email);
    await page.getByLabel('Senha', { exact: true }).fill(shop.password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Verificação em duas etapas' })).toBeVisible();
  };
  await signIn();
  await page.getByLabel('Código de 6 dígitos').fill(await code());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/inicio/);

  await signIn();
  await page.getByRole('button', { name: 'Usar um código de recuperação' }).click();
  await page.getByLabel('Código de recuperação').fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/inicio/);
});

test('a passkey signs in without a password, and confirms what asks for a second factor', {
  tag: '@width-independent',
}, async ({ page, shop, baseURL }) => {
  // A passkey belongs to a host name, never to an IP address: this test opens localhost.
  const host = `http://localhost:${new URL(baseURL ?? '').port}`;
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${host}/entrar`);
  await untilSendable(page);
  await page.getByLabel('E-mail').fill(shop.email);
  await page.getByLabel('Senha', { exact: true }).fill(shop.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/inicio/);

  await page.goto(`${host}/test/seguranca`);
  await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  await page.getByLabel('Nome, por exemplo o do aparelho').fill('Notebook do balcão');
  await page.getByRole('dialog').getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  await shop.confirms();
  await expect(page.getByText('Notebook do balcão').first()).toBeVisible();

  await signOutAtOnce(page);
  await page.goto(`${host}/entrar`);
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await page.waitForURL(/\/inicio/);

  // The passkey confirms its own removal.
  await page.goto(`${host}/test/seguranca`);
  await page.getByRole('button', { name: 'Remover: Notebook do balcão' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Usar chave de acesso' }).click();
  await expect(page.getByText('Nenhuma chave de acesso ainda.')).toBeVisible();
});

test('a session that is ended in one browser is over in the other, whose page leaves for the sign-in by itself', {
  tag: '@width-independent',
}, async ({ page, shop, browser, baseURL }) => {
  const other = await browser.newPage({ baseURL: baseURL ?? '', locale: 'pt-BR' });
  await other.goto('/entrar');
  await untilSendable(other);
  await other.getByLabel('E-mail').fill(shop.email);
  await other.getByLabel('Senha', { exact: true }).fill(shop.password);
  await other.keyboard.press('Enter');
  await other.waitForURL(/\/inicio/);

  await shop.open('/seguranca');
  await page.getByRole('button', { name: 'Encerrar todas as outras' }).click();
  await expect(page.getByText('1 sessão encerrada.')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Entre na sua conta' })).toBeVisible();
  await other.close();
});

test(
  'an invitation, and a new member’s name, that the service would reject are not sent',
  {
    tag: '@width-independent',
  },
  async ({ page, shop, mailbox, browser, baseURL }, { workerIndex }) => {
    const sent: string[] = [];
    const note = (to: Page, path: string) =>
      to.on('request', (request) => void (request.url().includes(path) && sent.push(request.url())));
    note(page, 'people.invite');
    await shop.open('/seguranca');
    const invited = page.getByLabel('E-mail de quem será convidado');
    await invited.fill('ana@example');
    await page.keyboard.press('Enter');
    await expect(invited).toHaveAccessibleDescription('Deve ser um e-mail válido.');
    await expect(invited).toBeFocused();
    expect(sent).toEqual([]);

    const email = `ana-${workerIndex}-${Date.now()}@example.com`;
    await invited.fill(email);
    await page.keyboard.press('Enter');
    await shop.confirms();
    await expect(page.getByText('Convite enviado.', { exact: true })).toBeVisible();
    await expect(invited).toHaveValue('');
    expect(sent.length).toBeGreaterThan(0);

    const other = await browser.newPage({ baseURL: baseURL ?? '', locale: 'pt-BR' });
    sent.length = 0;
    note(other, 'invitation/accept');
    await other.goto(new URL(await mailbox.link(email)).href);
    await untilSendable(other);
    const name = other.getByLabel('Seu nome');
    await name.fill('www.loja.com');
    await other.getByLabel('Senha', { exact: true }).fill('outra frase que ninguém adivinha');
    await other.keyboard.press('Enter');
    await expect(name).toHaveAccessibleDescription(/^Não pode conter um endereço da internet/);
    await expect(name).toBeFocused();
    expect(sent).toEqual([]);
    await name.fill('Ana Souza');
    await other.keyboard.press('Enter');
    await other.waitForURL(/\/inicio/);
    await other.close();
  },
);

test('a tab leaves for the sign-in by itself when its session is ended in another tab, and what was typed is there after it', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.open('/cobrar');
  await page.getByLabel('Descrição (opcional)').fill('Pedido 42');

  const other = await page.context().newPage();
  await other.goto('/test/inicio');
  await other.getByRole('button', { name: 'Sua conta' }).click();
  await other.getByRole('menuitem', { name: 'Sair' }).click();
  await other.waitForURL(/\/entrar/);

  await page.waitForURL('/entrar?next=%2Ftest%2Fcobrar', { timeout: 30_000 });
  await untilSendable(page);
  await page.getByLabel('E-mail').fill(shop.email);
  await page.getByLabel('Senha', { exact: true }).fill(shop.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/test\/cobrar/);
  await expect(page.getByLabel('Descrição (opcional)')).toHaveValue('Pedido 42');
});
