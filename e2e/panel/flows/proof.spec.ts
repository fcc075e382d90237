import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, operator, test, untilSendable } from '../fixtures.ts';

/** The demo's history is sealed within seconds of the first start, on a busy machine later. */
const SEALED_MS = 60_000;

test(
  'the last closed day is proved in the browser, and by its file elsewhere',
  { tag: '@width-independent' },
  async ({ page }, testInfo) => {
    await signInToDemo(page);
    await expect(async () => {
      await page.goto('/test/prova');
      await expect(page.getByText('Confere', { exact: true })).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: SEALED_MS });

    // The entries come to the balances that the statement shows for that day.
    const file = await downloaded(page);
    const proof = JSON.parse(file) as {
      account: string;
      day: string;
      balances: Record<string, number>;
      entries: object[];
    };
    await expect(page.getByText(`${proof.entries.length} lançamentos conferidos`)).toBeVisible();
    const shown = await Promise.all(
      ['available', 'pending', 'blocked'].map((kind) => page.getByTestId(`proved-${kind}`).innerText()),
    );
    expect(shown.map(centavos)).toEqual([proof.balances.available, proof.balances.pending, proof.balances.blocked]);
    await page.goto(`/test/extrato?de=${proof.day}&ate=${proof.day}`);
    await expect
      .poll(async () => centavos(await page.getByTestId('closing').innerText()))
      .toBe(proof.balances.available);

    const path = testInfo.outputPath('proof.json');
    writeFileSync(path, file);
    expect(await operator('ledger', 'verify', path)).toContain(`Proved: ${proof.entries.length} entries`);

    // The operator's file is identical.
    const own = testInfo.outputPath('operators.json');
    await operator('ledger', 'proof', proof.account, '--at', proof.day, '--file', own);
    expect(readFileSync(own, 'utf8')).toBe(file);
  },
);

test('the page rejects a proof in which a digit was changed, and names the entry', {
  tag: '@width-independent',
}, async ({ page }) => {
  await signInToDemo(page);
  await page.route('**/export/test/proof.json*', async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace(
      /("kind":"available","version":3,"amount":-?)(\d)/,
      (_, before, digit) => `${before}${digit === '9' ? 1 : Number(digit) + 1}`,
    );
    await route.fulfill({ response: answer, body: text });
  });
  await expect(async () => {
    await page.goto('/test/prova');
    await expect(page.getByText('Não confere')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: SEALED_MS });
  await expect(
    page.getByText(/O lançamento 3 de Disponível, da transação [0-9a-f-]{36}, não é o que foi fechado/),
  ).toBeVisible();
});

test('a member without entries in the last closed day reads so, and gets no proof', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  await shop.earns(10);
  await expect(async () => {
    await shop.open('/prova');
    await expect(page.getByText('O último dia fechado não tem lançamentos seus')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: SEALED_MS });
  await expect(page.getByRole('link', { name: 'Baixar a prova' })).toHaveCount(0);
  expect((await page.request.get('/export/test/proof.json')).status()).toBe(404);
});

async function signInToDemo(page: Page): Promise<void> {
  const { email, password } = JSON.parse(await operator('demo', '--json')) as Record<string, string>;
  await page.goto('/entrar');
  await untilSendable(page);
  await page.getByLabel('E-mail').fill(email ?? '');
  await page.getByLabel('Senha', { exact: true }).fill(password ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/inicio/);
}

async function downloaded(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Baixar a prova' }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** `Disponível R$ 1.234,56` in centavos. */
const centavos = (text: string): number => (/[-\u2212]/.test(text) ? -1 : 1) * Number(text.replace(/\D/g, ''));
