import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import type { PaymentPageData } from '../../src/contract/charges/payment-status.ts';
import { expect, test } from '../fixtures.ts';
import { seriousViolations } from './accessibility.ts';

const PHONE = { width: 390, height: 844 };
/**
 * Bytes of JavaScript, compressed, that the page may load for any payment: a phone downloads it.
 */
const JAVASCRIPT_BYTES_MAX = 180_000;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a payer sends coins in two parts, and the page follows by itself until they are confirmed', async ({
  page,
  merchant,
  payerPays,
  networkConfirms,
}) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  expect(new URL(invoice.pageUrl).pathname).toBe(`/pay/${invoice.id}`);
  await page.goto(`/pay/${invoice.id}`);
  await expect(page.getByText('Padaria São José').first()).toBeVisible();
  await expect(page.getByText('R$ 540,00')).toBeVisible();
  await expect(page.getByText('Envie somente USDT pela rede BNB Smart Chain (BEP20).')).toBeVisible();
  await expect(page.getByRole('img', { name: /QR code do endereço/ })).toBeVisible();
  await expect(page.getByText(/Expira em/)).toBeVisible();
  await expect(page.getByText('app do seu banco')).toBeHidden();
  await expectCopied(page, 'Copiar endereço', invoice.wallet);
  await expectCopied(page, 'Copiar valor', '100');

  await payerPays(invoice, { share: '0.25' });
  await expect(page.getByText('Recebemos 25 USDT de 100 USDT. Faltam 75 USDT')).toBeVisible();
  await expectCopied(page, 'Copiar valor', '75');
  await expectCopied(page, 'Copiar endereço', invoice.wallet);

  await payerPays(invoice, { share: '0.75', unconfirmed: true });
  await expect(page.getByText('Pagamento detectado').first()).toBeVisible();
  await expect(page.getByText('Você não precisa fazer mais nada')).toBeVisible();
  await expect(page.getByText(/Confirmações da rede/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Copiar/ })).toBeHidden();

  await networkConfirms(invoice);
  await expect(page.getByText('Pagamento confirmado').first()).toBeVisible();
  await expect(page.getByText('100 USDT').first()).toBeVisible();
});

test('a payer who sends more than was asked sees that it was too much', async ({ page, merchant, payerPays }) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  await page.goto(`/pay/${invoice.id}`);
  await payerPays(invoice, { share: '1.5' });
  await expect(page.getByText('Pago a mais').first()).toBeVisible();
  await expect(page.getByText(/Recebemos 150\sUSDT, mais que os 100\sUSDT pedidos/)).toBeVisible();
});

/**
 * States that take days, another network or a processor's error to reach: the server's answer, with
 * some values replaced.
 */
const STATES: { name: string; answer: Answer; shows: string[]; hides: string[] }[] = [
  {
    name: 'a network with memos never lets one be forgotten',
    answer: { crypto: { asset: 'TON', network: 'ton', memo: '4820175533' } },
    shows: ['Envie somente TON pela rede TON', 'Memo obrigatório', 'não pode ser creditado', 'informe também o memo'],
    hides: [],
  },
  {
    name: 'without an address of its own the page leads to the processor’s',
    answer: { crypto: { wallet: null, provider_url: 'https://pay.example.com/invoice/1' } },
    shows: ['Ir para o pagamento', 'Aguardando pagamento'],
    hides: ['Copiar endereço'],
  },
  {
    name: 'an address that is not there yet is on its way',
    answer: { crypto: { wallet: null, provider_url: null } },
    shows: ['O endereço está sendo gerado', 'Aguardando pagamento'],
    hides: [],
  },
  {
    name: 'a payer who sent too little sees what arrived and who has it',
    answer: { status: 'underpaid', crypto: { received: '99.5', missing: '0.5' } },
    shows: ['Pagamento incompleto', 'Recebemos 99,5 USDT de 100 USDT', 'creditado a Padaria São José'],
    hides: ['Copiar endereço'],
  },
  {
    name: 'no payer is invited to send coins after the end, even before the server closes the invoice',
    answer: { expires_at: '2020-01-01T00:00:00.000Z' },
    shows: [
      'Fatura expirada',
      'Não envie nada',
      'pelo menor preço entre o da fatura e o do momento',
      'retido para análise',
    ],
    hides: ['Copiar endereço'],
  },
  {
    name: 'a cancelled invoice takes no more coins',
    answer: { status: 'cancelled' },
    shows: ['Fatura cancelada', 'Não envie nada para o endereço dela'],
    hides: ['Copiar endereço'],
  },
  {
    name: 'a failed invoice says what to do',
    answer: { status: 'failed' },
    shows: ['Pagamento não concluído', 'Identificação'],
    hides: ['Copiar endereço'],
  },
];

test('the page of an invoice says what to do in every state that takes days or another’s error to reach', async ({
  page,
  merchant,
}) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  for (const { name, answer, shows, hides } of STATES) {
    await test.step(name, async () => {
      await streamInstead(page, invoice.id, answer);
      await page.goto(`/pay/${invoice.id}`);
      for (const text of shows) await expect(page.getByText(text).first()).toBeVisible();
      for (const text of hides) await expect(page.getByText(text)).toBeHidden();
      expect(await seriousViolations(page)).toEqual([]);
    });
  }
});

test('the memo is copied exactly, and the processor’s page opens in another tab', async ({ page, merchant }) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  await streamInstead(page, invoice.id, { crypto: { memo: '0048-20' } });
  await page.goto(`/pay/${invoice.id}`);
  await expectCopied(page, 'Copiar memo', '0048-20');
  await streamInstead(page, invoice.id, {
    crypto: { wallet: null, provider_url: 'https://pay.example.com/invoice/1' },
  });
  await page.reload();
  const link = page.getByRole('link', { name: 'Ir para o pagamento' });
  await expect(link).toHaveAttribute('href', 'https://pay.example.com/invoice/1');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', /noopener/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`on a phone, ${colorScheme}`, () => {
    test.use({ viewport: PHONE, colorScheme });

    test('the page of an invoice fits, and axe finds nothing serious on it', async ({ page, merchant }) => {
      // Our typeface may come late or not at all, and what a device has instead is wider.
      await page.route('**/*.woff2', (route) => route.abort());
      const invoice = await merchant.createInvoice({ amount: 1234.56 });
      for (const [title, answer] of [
        ['Aguardando pagamento', {}],
        ['Pagamento detectado', { status: 'detected', crypto: { confirmations: 3, confirmations_needed: 15 } }],
      ] as const) {
        await streamInstead(page, invoice.id, answer);
        await page.goto(`/pay/${invoice.id}`);
        await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
        expect(await seriousViolations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
      }
      await expect(page.getByRole('progressbar')).toHaveJSProperty('value', 3);
    });
  });
}

test.describe('in English', () => {
  test.use({ locale: 'en-US' });
  test('the page of an invoice follows the browser’s language', async ({ page, merchant }) => {
    const invoice = await merchant.createInvoice({ amount: 540 });
    await page.goto(`/pay/${invoice.id}`);
    await expect(page.getByText('Send only USDT over the BNB Smart Chain (BEP20) network.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible();
  });
});

test('amount and address can be copied with the keyboard alone', async ({ page, merchant }) => {
  const invoice = await merchant.createInvoice({ amount: 540 });
  await page.goto(`/pay/${invoice.id}`);
  await page.locator('html[data-interactive]').waitFor({ state: 'attached' });
  for (const text of ['100', invoice.wallet]) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
});

test('the page of an invoice loads little JavaScript, all of it with its nonce', async ({ page, merchant }) => {
  const violations: string[] = [];
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && violations.push(message.text()),
  );
  const invoice = await merchant.createInvoice({ amount: 540 });
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response.body()));
  await page.goto(`/pay/${invoice.id}`);
  await expect(page.getByRole('button', { name: 'Copiar endereço' })).toBeVisible();
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(JAVASCRIPT_BYTES_MAX);
  expect(violations).toEqual([]);
});

const STREAM = '**/api/trpc/payment.follow*';
type Answer = Partial<Omit<PaymentPageData, 'crypto'>> & { crypto?: Partial<PaymentPageData['crypto']> };

/** The page's stream sends what the server would, with some values replaced. */
async function streamInstead(page: Page, transactionId: string, { crypto, ...rest }: Answer) {
  const input = encodeURIComponent(JSON.stringify({ transactionId }));
  const { data } = (await (await page.request.get(`/api/trpc/payment.get?input=${input}`)).json()).result;
  const message = JSON.stringify({ ...data, ...rest, crypto: { ...data.crypto, ...crypto } });
  await page.unroute(STREAM);
  await page.route(STREAM, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `data: ${message}\n\n` }),
  );
}

async function expectCopied(page: Page, button: string, text: string) {
  await page.getByRole('button', { name: button }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
}
