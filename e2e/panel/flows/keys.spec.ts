import type { APIRequestContext, Page } from '@playwright/test';
import { expect, type PanelMerchant, test } from '../fixtures.ts';

/** Requests that are made before and after each step: enough to see one that is rejected. */
const REQUESTS_A_STEP = 25;

test('a key is rotated without a rejected request', { tag: '@width-independent' }, async ({ page, shop, request }) => {
  await shop.open('/chaves');
  const first = await makeKey(page, shop, 'Loja virtual');
  const system = systemThatNeverStops(request, first);
  await system.goesOn();

  await keyMenu(page, 'Loja virtual', 'Trocar');
  const rotation = page.getByRole('dialog', { name: 'Trocar a chave Loja virtual' });
  await rotation.getByLabel('A antiga ainda funciona por').selectOption('24 horas');
  await expect(rotation.getByText(/para de funcionar em \d\d\/\d\d\/\d{4} \d\d:\d\d/)).toBeVisible();
  await rotation.getByRole('button', { name: 'Trocar chave' }).click();
  const second = await storeShownKey(page);
  expect(second).not.toBe(first);
  await system.goesOn();
  system.use(second);
  await system.goesOn();

  await expect(page.getByRole('row', { name: /Loja virtual.*Em troca/ })).toBeVisible();
  await page
    .getByRole('row', { name: /Em troca/ })
    .getByRole('button', { name: /Ações da chave/ })
    .click();
  await page.getByRole('menuitem', { name: 'Revogar' }).click();
  await page.getByRole('button', { name: 'Revogar agora' }).click();
  await expect(page.getByRole('row', { name: /Em troca/ })).toBeHidden();
  await system.goesOn();
  expect(await system.stop()).toEqual([]);
  expect(await statusOf(request, first)).toBe(401);
  await page.getByLabel('Mostrar 1 encerrada').check();
  await expect(page.getByRole('row', { name: /Loja virtual.*Revogada/ })).toBeVisible();
});

test('a new key can’t withdraw unless its box was ticked, and a text warns of it', {
  tag: '@width-independent',
}, async ({ page, shop, request }) => {
  await shop.open('/chaves');
  const withdrawal = { amount: 1, pixKey: '52998224725', pixKeyType: 'CPF' };
  const withdraw = async (key: string) =>
    (await (await request.post('/payments/transfers/pix', { headers: { 'x-api-key': key }, data: withdrawal })).json())
      .error;
  expect(await withdraw(await makeKey(page, shop, 'Só cobra'))).toBe('Permissão negada');
  const warning = page.getByText('Quem tiver esta chave tira dinheiro da conta');
  const key = await makeKey(page, shop, 'Repasses', async () => {
    await expect(page.getByLabel('Sacar', { exact: true })).not.toBeChecked();
    await expect(warning).toBeHidden();
    await page.getByLabel('Sacar', { exact: true }).check();
    await expect(warning).toBeVisible();
  });
  expect(await withdraw(key)).toBe('Saldo insuficiente');
  // The log of what was done has it in words.
  await shop.open('/seguranca');
  const activity = page.getByRole('region', { name: 'O que foi feito' });
  await expect(activity.getByText('permissões: Cobrar, Sacar, Consultar, Saldo')).toBeVisible();
});

test('an assistant asks for a withdrawal within its caps, and who made its key confirms it', {
  tag: '@width-independent',
}, async ({ page, shop, request }) => {
  await shop.earns(200);
  await shop.open('/chaves');
  const key = await makeKey(page, shop, 'Assistente', async () => {
    const form = page.getByRole('dialog', { name: 'Nova chave' });
    await form.getByLabel('Ser usada por um assistente (MCP)').check();
    await form.getByLabel('Pedir saques como assistente').check();
    await form.getByRole('button', { name: 'Criar chave' }).click();
    await expect(form.getByText('Informe o máximo que ele pode pedir.')).toHaveCount(2);
    await form.getByLabel('Máximo por pedido').fill('60');
    await form.getByLabel('Máximo por dia').fill('100');
  });
  await expect(page.getByText(/Pedir saques: R\$\s60,00 por pedido, R\$\s100,00 por dia/)).toBeVisible();
  const input = { amount: 60, pixKey: 'maria@example.com', pixKeyType: 'EMAIL', idempotency_key: 'um' };
  const call = { name: 'request_pix_withdrawal', arguments: input };
  const answer = await request.post('/mcp', {
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  });
  const { data } = (await answer.json()).result.structuredContent;
  expect(data.status).toBe('waiting_for_confirmation');

  await page.goto(new URL(data.confirm_url).pathname);
  await expect(page.getByText('assistente com a chave Assistente')).toBeVisible();
  await expect(page.getByText(/Um assistente de IA pediu este saque/)).toBeVisible();
  await page.getByRole('button', { name: 'Aprovar', exact: true }).click();
  // No new confirmation is asked for: the one for the key still holds.
  await page.getByRole('button', { name: /^Aprovar R\$/ }).click();
  const sent = page.getByRole('paragraph').filter({ hasText: 'Quem recebe já tem o valor.' });
  await expect(sent).toBeVisible({ timeout: 60_000 });
});

test('a key is made by keyboard alone, an error keeps what was typed, and the key is shown this once', {
  tag: '@width-independent',
}, async ({ page, shop, request }) => {
  await shop.open('/chaves');
  await page.getByRole('button', { name: 'Nova chave' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Nova chave' });
  await expect(form.getByLabel('Nome')).toBeFocused();
  await page.keyboard.type('Do teclado');
  const addresses = form.getByRole('combobox', { name: 'Endereços IP' });
  while (!(await addresses.evaluate((input) => input === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.type('203.0.113.300');
  await page.keyboard.press('Enter');
  while (!(await form.getByRole('button', { name: 'Criar chave' }).evaluate((one) => one === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(form.getByText('203.0.113.300 não é um endereço IP nem uma faixa.')).toBeVisible();
  await expect(addresses).toBeFocused();
  await expect(form.getByLabel('Nome')).toHaveValue('Do teclado');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('203.0.113.77/24');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  while (!(await form.getByRole('button', { name: 'Criar chave' }).evaluate((one) => one === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await confirmOnce(page, shop);
  const key = await displayKey(page);
  // Escape does not close the dialog, which would lose the key.
  await page.keyboard.press('Escape');
  expect(await storeShownKey(page)).toBe(key);
  const row = page.getByRole('row', { name: /Do teclado/ });
  await expect(row).toContainText('203.0.113.0/24');
  await expect(page.getByText(key)).toBeHidden();
  // REST applies the list of addresses: this machine is not in it.
  expect(await statusOf(request, key)).toBe(403);
});

/**
 * Makes a key on the page, after `change` in its form, and says that it was stored. Returns the
 * key.
 */
async function makeKey(page: Page, shop: PanelMerchant, name: string, change = async () => {}): Promise<string> {
  await page.getByRole('button', { name: 'Nova chave' }).click();
  const form = page.getByRole('dialog', { name: 'Nova chave' });
  await form.getByLabel('Nome').fill(name);
  await change();
  await form.getByRole('button', { name: 'Criar chave' }).click();
  await confirmOnce(page, shop);
  return storeShownKey(page);
}

/**
 * Confirms with a second factor if the page asks for it: once, and then not within some minutes.
 */
async function confirmOnce(page: Page, shop: PanelMerchant): Promise<void> {
  const stored = page.getByRole('button', { name: 'Já guardei a chave' });
  const question = page.getByRole('dialog', { name: 'Confirme que é você' });
  await expect(stored.or(question).first()).toBeVisible();
  if (await question.isVisible()) await shop.confirms();
}

const displayKey = (page: Page): Promise<string> => page.getByLabel('Chave de API', { exact: true }).innerText();

async function storeShownKey(page: Page): Promise<string> {
  const key = await displayKey(page);
  expect(key).toMatch(/^tr_test_\w{36}$/);
  await page.getByRole('button', { name: 'Já guardei a chave' }).click();
  return key;
}

async function keyMenu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Ações da chave ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

const statusOf = async (request: APIRequestContext, key: string): Promise<number> =>
  (await request.get('/payments/balance', { headers: { 'x-api-key': key } })).status();

/**
 * A system that sends requests without a pause, and can be given another key while it runs. `stop`
 * returns the statuses of the rejections that it met.
 */
function systemThatNeverStops(request: APIRequestContext, key: string) {
  const state = { key, stopped: false, asked: 0 };
  const rejections: number[] = [];
  const running = (async () => {
    while (!state.stopped) {
      const status = await statusOf(request, state.key);
      if (status !== 200) rejections.push(status);
      state.asked++;
    }
  })();
  return {
    use(next: string) {
      state.key = next;
    },
    async goesOn() {
      const enough = state.asked + REQUESTS_A_STEP;
      await expect.poll(() => state.asked).toBeGreaterThan(enough);
    },
    async stop(): Promise<number[]> {
      state.stopped = true;
      await running;
      return rejections;
    },
  };
}
