import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { test as base, expect } from '../fixtures.ts';

type Call = { headers: Record<string, string>; body: string; answer: number };

/** A merchant's system with scripted responses. */
const test = base.extend<{ system: { url: string; calls: Call[]; answers(status: number): void } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  system: async ({}, use) => {
    const calls: Call[] = [];
    let status = 200;
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      calls.push({ headers: req.headers as Record<string, string>, body, answer: status });
      res.writeHead(status).end(status === 200 ? 'ok' : '<h1>out of order</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const answers = (next: number) => {
      status = next;
    };
    await use({ url, calls, answers });
    await new Promise((resolve) => server.close(resolve));
  },
});

test('a failing webhook is seen, mended and sent again', { tag: '@width-independent' }, async ({
  page,
  shop,
  system,
  payerPays,
}) => {
  system.answers(500);
  await shop.open('/webhooks');
  await expect(page.getByText('Adicione a URL do seu sistema')).toBeVisible();

  // An address that is not a public https URL is rejected with a text, and what was typed stays.
  await page.getByRole('button', { name: 'Adicionar URL: Depósitos PIX' }).click();
  const url = page.getByLabel('URL para Depósitos PIX');
  await url.fill('ftp://loja.example');
  await page.keyboard.press('Enter');
  // Changing where events go asks for a second factor.
  await shop.confirms();
  await expect(page.getByText('Use um endereço https.')).toBeVisible();
  await expect(url).toBeFocused();
  await expect(url).toHaveValue('ftp://loja.example');
  await url.fill(system.url);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Depósitos PIX: destino salvo.')).toBeVisible();

  // A charge is paid, and the system answers 500.
  const charge = await shop.createCharge({ amount: 42 });
  await payerPays(charge);
  await expect.poll(() => system.calls.length).toBeGreaterThan(0);
  await shop.open('/webhooks');
  // The page may be made before the answer is stored; it reads again every 15 s.
  await expect(page.getByText(/falha há .* · 1 evento aguarda/)).toBeVisible({ timeout: 60_000 });

  // The delivery shows what was sent and what came back, as text.
  await page.getByRole('link', { name: 'Cobrança paga' }).click();
  const drawer = page.getByRole('dialog', { name: 'Entrega' });
  await expect(drawer.getByText('<h1>out of order</h1>').first()).toBeVisible();
  await expect(drawer.getByTestId('webhook-body')).toHaveText(system.calls[0]?.body ?? '');
  await expect(drawer.getByText(system.calls[0]?.headers['webhook-id'] ?? '').first()).toBeVisible();

  // The system works again, and the same event is sent again.
  system.answers(200);
  await expect(async () => {
    const button = drawer.getByRole('button', { name: 'Tentar agora' });
    // The attempt that is under way may remove the button at any moment; once one was accepted, a
    // page that does not know it yet would have the event sent once more.
    const isAccepted = system.calls.some(({ answer }) => answer === 200);
    if (!isAccepted && (await button.isVisible())) await button.click({ timeout: 2_000 });
    await expect(drawer.getByText('entregue')).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  const calls = system.calls.length;
  expect(new Set(system.calls.map(({ body }) => body)).size).toBe(1);
  await drawer.getByRole('button', { name: 'Reenviar' }).click();
  await expect.poll(() => system.calls.length).toBe(calls + 1);
  expect(system.calls[calls]?.headers['webhook-id']).toBe(system.calls[0]?.headers['webhook-id']);

  // Back closes the delivery, and the webhook no longer fails.
  await page.goBack();
  await expect(drawer).toBeHidden();
  await shop.open('/webhooks?status=delivered&topico=deposit');
  await expect(page.getByText(/falha há/)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Cobrança paga' })).toHaveCount(1);
  await page.getByLabel('Filtrar por status').selectOption('Falhou');
  await expect(page.getByText('Nenhum evento com estes filtros')).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);

  // The system answers that it is gone: its events are held, also one that was never tried, until
  // they are sent.
  system.answers(410);
  await payerPays(await shop.createCharge({ amount: 43 }));
  await opensWith(/desativado há .* · 1 retido$/);
  await payerPays(await shop.createCharge({ amount: 44 }));
  await opensWith(/desativado há .* · 2 retidos$/);
  await page.getByLabel('Filtrar por status').selectOption('Retido');
  await expect(page.getByRole('link', { name: 'Cobrança paga' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Reativar' }).click();
  await expect(page.getByText('2 retidos', { exact: true })).toBeVisible();
  system.answers(200);
  const before = system.calls.length;
  await page.getByRole('button', { name: 'Enviar 2 retidos' }).click();
  await expect.poll(() => system.calls.length).toBe(before + 2);
  expect(system.calls.slice(before).map(({ body }) => JSON.parse(body).data.amount)).toEqual([43, 44]);
  // The second answer is stored a moment after it was given.
  await expect(async () => {
    await shop.open('/webhooks');
    await expect(page.getByText(/\d retido/)).toHaveCount(0, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });

  /**
   * Opens the page until it shows the text: an answer is stored a moment later, and an open page
   * reads again every 15 s.
   */
  async function opensWith(text: RegExp): Promise<void> {
    await expect(async () => {
      await shop.open('/webhooks');
      await expect(page.getByText(text)).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  }
});

test('a test event arrives, signed by the new secret and by the one before it', { tag: '@width-independent' }, async ({
  page,
  shop,
  system,
}) => {
  await shop.open('/webhooks');
  await page.getByRole('button', { name: 'Adicionar URL: Saques PIX' }).click();
  await page.getByLabel('URL para Saques PIX').fill(system.url);
  await page.getByLabel('Usar também para Depósitos PIX, Cripto').check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await shop.confirms();

  // The second factor of a moment ago also shows the secret.
  await page.getByRole('button', { name: 'Mostrar' }).click();
  const shown = page.getByTestId('webhook-secret');
  await expect(shown).toHaveText(/^whsec_[\w+/]{43}=$/);
  const before = await shown.innerText();

  await page.getByRole('button', { name: 'Trocar segredo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Trocar segredo' }).click();
  const done = page.getByRole('dialog', { name: 'Segredo trocado' });
  const after = await done.getByLabel('Segredo novo').innerText();
  await done.getByRole('button', { name: 'Fechar' }).last().click();
  await expect(page.getByText(/O segredo anterior também assina até/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mostrar' })).toBeVisible();

  await page.getByRole('button', { name: 'Testar: Cripto' }).click();
  const drawer = page.getByRole('dialog', { name: 'Entrega' });
  await expect(drawer.getByText('entregue')).toBeVisible();
  const [call] = system.calls;
  if (!call) throw new Error('The test event did not arrive.');
  for (const secret of [before, after]) {
    expect(new Webhook(secret).verify(call.body, call.headers)).toMatchObject({
      type: 'webhook.test',
      data: { topic: 'usdt' },
    });
  }
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await page.getByRole('button', { name: 'Encerrar agora' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar agora' }).click();
  await expect(page.getByText('O segredo anterior não assina mais.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Trocar segredo' })).toBeEnabled();

  // Endpoints that a program made are shown, tested, disabled and removed here, too.
  const headers = { origin: new URL(page.url()).origin };
  const made = await page.request.post('/api/trpc/test/endpoints.create', {
    headers,
    data: { url: `${system.url}/erp`, description: 'ERP' },
  });
  expect(made.status()).toBe(200);
  await shop.open('/webhooks');
  await expect(page.getByText('nada recebido ainda')).toBeVisible();
  const calls = system.calls.length;
  await page.getByRole('button', { name: 'Testar: ERP' }).click();
  await expect.poll(() => system.calls.length).toBe(calls + 1);
  await page.getByRole('button', { name: 'Desativar endpoint: ERP' }).click();
  await expect(page.getByText(/^desativado há/)).toBeVisible();
  await page.getByRole('button', { name: 'Mais: ERP' }).click();
  await page.getByRole('menuitem', { name: 'Remover endpoint' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remover endpoint' }).click();
  await expect(page.getByText('Endpoint removido.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Endpoints da API' })).toBeHidden();
  await expect(page.locator('body'), 'the keyboard goes on in the page').not.toBeFocused();
});
