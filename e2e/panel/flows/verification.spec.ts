import type { Page } from '@playwright/test';
import { pdfFile, pngFile } from '../../../src/testing/uploaded-files.ts';
import { expect, operator, test } from '../fixtures.ts';

/** What a person types, by the labels of the fields. */
const PERSON = {
  'Nome completo': 'Maria da Silva',
  CPF: '390.533.447-05',
  'Data de nascimento': '28/02/1990',
  Profissão: 'Confeiteira',
  CEP: '01310100',
  'Rua ou avenida': 'Avenida Paulista',
  Número: '1000',
  Bairro: 'Bela Vista',
  Cidade: 'São Paulo',
};

const INCOMPLETE = '{count, plural, one {Falta corrigir # campo.} other {Falta corrigir # campos.}}';

async function upload(page: Page, button: string, file: { name: string; bytes: Buffer }): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });
}

test('a merchant is verified: they correct what is wrong, the operator decides, and withdrawals open', {
  tag: ['@width-independent', '@both-languages'],
}, async ({ page, shop, operatorPage: console, text }) => {
  test.slow();
  const cpf = page.getByLabel('CPF', { exact: true });
  const field = (name: string) => page.getByLabel(text(name, {}, 'panel.kyc'), { exact: true });
  const submit = page.getByRole('button', { name: text('Pedir verificação') });
  const state = (name: string) => page.getByRole('status').getByText(text(name, {}, 'panel.kyc.states'));
  const identity = text('Documento de identidade');
  const address = text('Comprovante de endereço');
  const selfie = text('Foto do seu rosto');
  const choose = (what: string) => text('Escolher arquivo: {what}', { what });
  const file = (name: string) => page.getByRole('link', { name: text('Baixar {name}', { name }) });
  await operator('account', 'set', shop.accountId, '--kyc', 'pending');
  await shop.open('/verificacao');
  await expect(state('Ainda não enviada')).toBeVisible();
  // Test mode needs no verification.
  expect((await shop.get('/payments/balance')).status).toBe(200);

  // Errors keep what was typed, and the cursor goes to the first field with one.
  await page.getByText(text('Pessoa física'), { exact: true }).click();
  await cpf.fill('390.533.447-04');
  await submit.click();
  await expect(cpf).toBeFocused();
  await expect(cpf).toHaveAccessibleDescription(text('Não é um {type} válido: confira o número.', { type: 'CPF' }));
  await expect(page.getByText(text(INCOMPLETE, { count: 9 }))).toBeVisible();

  for (const [name, value] of Object.entries(PERSON)) await field(name).fill(value);
  // A reload keeps what was typed, and the kind of merchant.
  await page.reload();
  for (const [name, value] of Object.entries(PERSON)) {
    await expect(field(name)).toHaveValue(name === 'CEP' ? '01310-100' : value);
  }
  await field('Estado').selectOption('SP');
  await submit.click();
  await expect(page.getByText(text('Faltam documentos: veja abaixo.'))).toBeVisible();
  await expect(page.getByRole('button', { name: choose(identity) })).toBeFocused();

  await upload(page, choose(identity), { name: 'rg.pdf', bytes: Buffer.from('<script>alert(1)</script>') });
  await expect(
    page.getByRole('alert').getByText(text('Não é um PDF, JPEG ou PNG. Fotos HEIC: salve como JPEG.')),
  ).toBeVisible();
  await upload(page, choose(identity), { name: 'rg frente.pdf', bytes: pdfFile() });
  await upload(page, choose(address), { name: 'luz.pdf', bytes: pdfFile() });
  await upload(page, choose(selfie), { name: 'rosto.png', bytes: pngFile() });
  await expect(file('rosto.png')).toBeVisible();
  const download = page.waitForEvent('download');
  await file('rg frente.pdf').click();
  expect((await download).suggestedFilename()).toBe('rg frente.pdf');

  await submit.click();
  await expect(state('Em análise')).toBeVisible();
  await expect(page.getByText('390.533.447-05')).toBeVisible();
  // Each document is shown under the kind that was asked for.
  for (const [asked, name] of [
    [identity, 'rg frente.pdf'],
    [address, 'luz.pdf'],
    [selfie, 'rosto.png'],
  ] as const) {
    await expect(page.getByText(asked, { exact: true })).toBeVisible();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  }
  // Once it is submitted, nothing of it is kept in the tab.
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('Confeiteira');

  await operator('kyc', 'reject', shop.email, '--reason', 'A foto do rosto está escura.');
  await page.reload();
  await expect(page.getByText('A foto do rosto está escura.').first()).toBeVisible();
  await expect(field('Profissão')).toHaveValue('Confeiteira');
  await page.getByRole('button', { name: text('Remover {name}', { name: 'rosto.png' }) }).click();
  await expect(file('rosto.png')).toBeHidden();
  await upload(page, choose(selfie), { name: 'rosto claro.png', bytes: pngFile(100) });
  await expect(file('rosto claro.png')).toBeVisible();
  await submit.click();
  await expect(state('Em análise')).toBeVisible();

  await console.goto('/operator/verificacoes');
  await console.getByRole('row').filter({ hasText: shop.email }).getByRole('link').click();
  await expect(console.getByText('Confeiteira')).toBeVisible();
  await expect(console.getByRole('img', { name: selfie })).toBeVisible();
  await console.getByRole('button', { name: text('Aprovar', {}, 'operator') }).click();
  await expect(console.getByText(text('Decisão registrada.'))).toBeVisible();
  // The page reads the decision without a reload.
  await expect(state('Aprovada')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: text('Histórico de decisões') })).toBeVisible();
});
