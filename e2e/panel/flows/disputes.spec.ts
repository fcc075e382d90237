import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { pdfFile } from '../../../src/testing/uploaded-files.ts';
import { seriousViolations } from '../accessibility.ts';
import { expect, operator, type PanelMerchant, test } from '../fixtures.ts';
import { DESKTOP, PHONE } from '../pages.ts';

/** A balance on the overview, by its name; the space after R$ does not break. */
const expectBalance = (page: Page, name: string, reais: string) =>
  expect(page.getByRole('region', { name: 'Saldos' })).toContainText(new RegExp(`${name}\\s*R\\$\\s${reais}`));

/** Creates a charge that is paid and contested; returns its id and that of the case. */
async function contested(shop: PanelMerchant, amount: number): Promise<{ chargeId: string; disputeId: string }> {
  const { id: chargeId } = await shop.createCharge({ amount, description: 'Pedido 977' });
  await shop.pays(chargeId);
  await operator('dispute', 'open', chargeId, '--reason', 'fraud');
  const { body } = await shop.get('/payments/disputes?limit=1');
  return { chargeId, disputeId: (body.data as { dispute_id: string }[])[0]?.dispute_id ?? '' };
}

test('a dispute is seen on the overview, defended, and won', async ({ page, shop }) => {
  await shop.earns(50);
  await shop.open('/inicio');
  await expectBalance(page, 'Disponível', '49,40');
  await expect(page.getByRole('link', { name: 'Contestações' })).toHaveCount(0);

  // It appears without a reload, with its amount and the time that is left.
  const { chargeId, disputeId } = await contested(shop, 100);
  const strip = page.getByRole('region', { name: 'Contestação' });
  await expect(strip).toContainText('O pagador contestou um pagamento de R$ 100,00.');
  await expect(strip).toContainText('daqui a 48 h');
  await expectBalance(page, 'Bloqueado', '100,00');
  await strip.getByRole('link', { name: 'Responder' }).click();

  // The case waits for an answer, and says which payment it is about.
  await expect(page).toHaveURL(new RegExp(`/test/disputas/${disputeId}$`));
  await expect(page.getByText('espera sua resposta')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pedido 977' })).toBeVisible();

  // An empty defence is not sent, and a written one is confirmed in a dialog first.
  await page.getByRole('radio', { name: 'Defender o pagamento' }).check();
  await page.getByRole('button', { name: 'Conferir a resposta' }).click();
  await expect(page.getByText('Escreva por que o pagamento é legítimo.')).toBeVisible();
  await page.getByLabel('Sua defesa').fill('Entregue em 18/11, com assinatura.');
  const attach = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
  await attach('página.pdf', Buffer.from('<html>'));
  await expect(page.getByText('Não é um PDF, JPEG ou PNG.')).toBeVisible();
  await page.getByRole('button', { name: 'Fechar aviso' }).click();
  await attach('nota fiscal.pdf', pdfFile());
  await expect(page.getByText('nota fiscal.pdf', { exact: true })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Conferir a resposta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enviar a defesa?' });
  await dialog.getByRole('button', { name: 'Enviar a defesa' }).click();
  await expect(page.getByText('em análise', { exact: true })).toBeVisible();
  await expect(page.getByText('Entregue em 18/11, com assinatura.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Baixar nota fiscal.pdf' }).click();
  expect(readFileSync(await (await download).path())).toEqual(pdfFile());
  await expect(page.getByRole('button', { name: 'Remover nota fiscal.pdf' })).toHaveCount(0);

  // What the service knows of the payment is collected on one sheet.
  await page.getByRole('link', { name: 'Provas reunidas' }).click();
  const pack = page.getByRole('article');
  await expect(pack.getByRole('heading', { name: 'Provas de um pagamento contestado' })).toBeVisible();
  for (const text of [chargeId, disputeId, 'Pedido 977', 'Você defendeu o pagamento', 'nota fiscal.pdf'])
    await expect(pack.getByText(text, { exact: true })).toBeVisible();
  await expect(pack.getByText('O dia deste pagamento ainda não foi fechado.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.goBack();

  // The PSP decides while the page is open.
  await operator('dispute', 'close', disputeId, 'won');
  await expect(page.getByText('a seu favor', { exact: true })).toBeVisible();
  await shop.open('/inicio');
  await expect(page.getByRole('region', { name: 'Contestação' })).toHaveCount(0);
  await expectBalance(page, 'Disponível', '148,30');
  await expectBalance(page, 'Bloqueado', '0,00');
  // From now on the menu leads to the cases; on a phone it is behind a button.
  await expect(page.getByRole('link', { name: 'Contestações', includeHidden: true })).not.toHaveCount(0);
  await shop.open('/disputas');
  await expect(page.getByRole('table', { name: 'Encerradas' })).toContainText('a seu favor');
  await shop.open(`/transacoes/${chargeId}`);
  await expect(page.getByText('Este pagamento foi contestado: a seu favor.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Estornar' })).toBeVisible();
});

test('a dispute that is agreed to says in figures what leaves, and is lost', { tag: '@width-independent' }, async ({
  page,
  shop,
}) => {
  const { chargeId, disputeId } = await contested(shop, 80);
  // A list says it too, with the words of the page of the payment.
  await shop.open('/transacoes');
  const status = page.getByText('paga · contestada', { exact: true });
  await expect(status).toBeVisible();
  await expect(page.getByText('paga', { exact: true })).toHaveCount(0);
  // Beside it the time is whole, also on a phone.
  await page.setViewportSize(PHONE);
  const cell = page.locator('td').filter({ has: page.locator('time') });
  await expect(cell).toBeVisible();
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize(DESKTOP);
  await shop.open(`/transacoes/${chargeId}`);
  // The list under the drawer says it too, as soon as it is there.
  await expect(page.getByRole('dialog').locator(status)).toBeVisible();
  await expect(page.getByText('O pagador contestou R$ 80,00 deste pagamento')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Estornar' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Responder à contestação' }).click();

  await page.getByRole('radio', { name: 'Concordar em devolver' }).check();
  await page.getByRole('button', { name: 'Conferir a resposta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Devolver ao pagador?' });
  // 80,00 less its fee of 0,90 is what the account had to hold.
  await expect(dialog).toContainText('Do valor bloqueado−R$ 79,10');
  await expect(dialog).toContainText('Do saldo disponível−R$ 0,90');
  await expect(dialog).toContainText('Volta ao pagador−R$ 80,00');
  await dialog.getByRole('button', { name: 'Concordar e devolver' }).click();
  // The answer gives money away: who agrees confirms with a second factor.
  await shop.confirms();
  await expect(page.getByText('Concordou em devolver', { exact: true })).toBeVisible();

  await operator('dispute', 'close', disputeId, 'lost');
  await expect(page.getByText('a favor do pagador', { exact: true })).toBeVisible();
  await shop.open('/inicio');
  await expectBalance(page, 'Disponível', '0,00');
  await expectBalance(page, 'Bloqueado', '79,10');
});

test('a refund that was begun before the payment was contested says why it is rejected, and leads to the case', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const { id } = await shop.createCharge({ amount: 30 });
  await shop.pays(id);
  await shop.earns(10);
  await shop.open(`/transacoes/${id}`);
  await page.getByRole('button', { name: 'Estornar' }).click();
  await operator('dispute', 'open', id, '--reason', 'fraud', '--amount', '20.00');
  const dialog = page.getByRole('dialog', { name: 'Estornar cobrança' });
  await dialog.getByRole('button', { name: 'Estornar R$ 30,00' }).click();
  await shop.confirms();
  await expect(dialog.getByRole('alert')).toContainText('O pagador contestou este pagamento');
  await dialog.getByRole('link', { name: 'Ver a contestação' }).click();
  await expect(page.getByRole('heading', { name: 'Contestação', level: 1 })).toBeVisible();
});

test('the page of a dispute that does not exist says so, and offers nothing of it', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const none = '/disputas/00000000-0000-7000-8000-000000000000';
  await shop.open(none);
  await expect(page.getByRole('alert').getByText('Contestação não encontrada.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Provas reunidas' })).toHaveCount(0);
  await page.goto(`/test${none}/provas`);
  await expect(page.getByRole('alert').getByText('Contestação não encontrada.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Imprimir ou salvar em PDF' })).toHaveCount(0);
});
