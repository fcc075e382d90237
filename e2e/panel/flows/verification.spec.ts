import type { Page } from '@playwright/test';
import { pdfFile, pngFile } from '../../../src/testing/uploaded-files.ts';
import { expect, operator, test } from '../fixtures.ts';

test.use({ locale: 'pt-BR' });

/** What a person types, by the names of the fields. */
const PERSON = {
  'Nome completo': 'Maria da Silva',
  CPF: '390.533.447-05',
  'Data de nascimento': '1990-02-28',
  Profissão: 'Confeiteira',
  CEP: '01310100',
  'Rua ou avenida': 'Avenida Paulista',
  Número: '1000',
  Bairro: 'Bela Vista',
  Cidade: 'São Paulo',
};

async function upload(page: Page, document: string, file: { name: string; bytes: Buffer }): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Escolher arquivo: ${document}` }).click();
  await (await chooser).setFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });
}

test('a merchant is verified: they correct what is wrong, the operator decides, and withdrawals open', {
  tag: '@width-independent',
}, async ({ page, shop, operatorPage: console }) => {
  test.slow();
  await operator('account', 'set', shop.accountId, '--kyc', 'pending');
  await shop.open('/verificacao');
  await expect(page.getByRole('status').getByText('Ainda não enviada')).toBeVisible();
  // Test mode does not wait for it.
  expect((await shop.get('/payments/balance')).status).toBe(200);

  // Errors keep what was typed, and the cursor goes to the first of them.
  await page.getByText('Pessoa física', { exact: true }).click();
  await page.getByLabel('CPF', { exact: true }).fill('390.533.447-04');
  await page.getByRole('button', { name: 'Pedir verificação' }).click();
  await expect(page.getByLabel('CPF', { exact: true })).toBeFocused();
  await expect(page.getByLabel('CPF', { exact: true })).toHaveAccessibleDescription(/Deve ser um CPF válido/);
  await expect(page.getByText(/Falta corrigir \d campos/)).toBeVisible();

  for (const [field, value] of Object.entries(PERSON)) await page.getByLabel(field, { exact: true }).fill(value);
  // A reload takes nothing of what was typed, nor which kind of merchant it is.
  await page.reload();
  for (const [field, value] of Object.entries(PERSON)) {
    await expect(page.getByLabel(field, { exact: true })).toHaveValue(field === 'CEP' ? '01310-100' : value);
  }
  await page.getByLabel('Estado').selectOption('SP');
  await page.getByRole('button', { name: 'Pedir verificação' }).click();
  await expect(page.getByText('Faltam documentos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Escolher arquivo: Documento de identidade' })).toBeFocused();

  await upload(page, 'Documento de identidade', { name: 'rg.pdf', bytes: Buffer.from('<script>alert(1)</script>') });
  await expect(page.getByRole('alert').getByText('Não é um PDF, JPEG ou PNG')).toBeVisible();
  await upload(page, 'Documento de identidade', { name: 'rg frente.pdf', bytes: pdfFile() });
  await upload(page, 'Comprovante de endereço', { name: 'luz.pdf', bytes: pdfFile() });
  await upload(page, 'Foto do seu rosto', { name: 'rosto.png', bytes: pngFile() });
  await expect(page.getByRole('link', { name: 'Baixar rosto.png' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Baixar rg frente.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('rg frente.pdf');

  await page.getByRole('button', { name: 'Pedir verificação' }).click();
  await expect(page.getByRole('status').getByText('Em análise')).toBeVisible();
  await expect(page.getByText('390.533.447-05')).toBeVisible();
  // What was sent is named, under what it was asked for.
  for (const [asked, name] of [
    ['Documento de identidade', 'rg frente.pdf'],
    ['Comprovante de endereço', 'luz.pdf'],
    ['Foto do seu rosto', 'rosto.png'],
  ] as const) {
    await expect(page.getByText(asked, { exact: true })).toBeVisible();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  }
  // Handed in, it is kept nowhere in the tab.
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('Confeiteira');

  await operator('kyc', 'reject', shop.email, '--reason', 'A foto do rosto está escura.');
  await page.reload();
  await expect(page.getByText('A foto do rosto está escura.').first()).toBeVisible();
  await expect(page.getByLabel('Profissão')).toHaveValue('Confeiteira');
  await page.getByRole('button', { name: 'Remover rosto.png' }).click();
  await expect(page.getByRole('link', { name: 'Baixar rosto.png' })).toBeHidden();
  await upload(page, 'Foto do seu rosto', { name: 'rosto claro.png', bytes: pngFile(100) });
  await expect(page.getByRole('link', { name: 'Baixar rosto claro.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Pedir verificação' }).click();
  await expect(page.getByRole('status').getByText('Em análise')).toBeVisible();

  await console.goto('/operator/verificacoes');
  await console.getByRole('row').filter({ hasText: shop.email }).getByRole('link').click();
  await expect(console.getByText('Confeiteira')).toBeVisible();
  await expect(console.getByRole('img', { name: 'Foto do seu rosto' })).toBeVisible();
  await console.getByRole('button', { name: 'Aprovar' }).click();
  await expect(console.getByText('Decisão registrada.')).toBeVisible();
  // It looks by itself.
  await expect(page.getByRole('status').getByText('Aprovada')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'Histórico de decisões' })).toBeVisible();
});
