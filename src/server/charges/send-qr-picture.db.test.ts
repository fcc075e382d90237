import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { readQrPng, readQrSvg } from './testing/read-qr-picture.ts';

/** The pictures of a charge's QR code, over HTTP: without a key, for whoever has the address. */

let offset = 0;
let trilho: TestService;
let apiKey: string;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + offset) });
  apiKey = (await trilho.openAccount({ currency: 'USDT_BSC' })).apiKey;
});
afterAll(() => trilho.stop());

type Created = {
  transaction_id: string;
  qr_code_svg_url: string;
  qr_code_png_url: string;
  payment_data: { qr_code: string };
  qr_code: string;
};
const create = async (path: string): Promise<Created> =>
  (await trilho.post(path, apiKey, { amount: 100 })).body.data as Created;
const charge = () => create('/payments/transactions');
const invoice = () => create('/payments/deposits/crypto');
/** The pictures under the addresses of the answer. */
const pictures = async ({ qr_code_svg_url: svg, qr_code_png_url: png }: Created) =>
  Promise.all([svg, png].map((url) => fetch(new URL(new URL(url).pathname, trilho.url))));
const errors = async (answers: Response[]) =>
  Promise.all(answers.map(async (answer) => [answer.status, ((await answer.json()) as { code: string }).code]));

describe.each([
  ['PIX charge', charge, (made: Created) => made.payment_data.qr_code],
  ['crypto invoice', invoice, (made: Created) => made.qr_code],
] as const)('the QR picture of a %s', (_what, make, codeOf) => {
  test('is at the addresses in the answer, shows its code, is not cached and runs no script', async () => {
    const made = await make();
    const [svg, png] = await pictures(made);
    expect(readQrSvg((await svg?.text()) ?? '')).toBe(codeOf(made));
    expect(readQrPng(Buffer.from(new Uint8Array((await png?.arrayBuffer()) ?? new ArrayBuffer())))).toBe(codeOf(made));
    for (const [answer, type] of [[svg, 'image/svg+xml'] as const, [png, 'image/png'] as const]) {
      expect(answer?.status).toBe(200);
      expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
  });

  test('is gone once the time to pay is over', async () => {
    const made = await make();
    offset = 2 * 24 * 3_600_000;
    const late = await errors(await pictures(made));
    offset = 0;
    expect(late).toEqual([
      [410, 'charge_not_payable'],
      [410, 'charge_not_payable'],
    ]);
  });
});

test('a paid charge and a cancelled one have no picture', async () => {
  const [paid, cancelled] = [await charge(), await charge()];
  await trilho.pay(paid.transaction_id);
  await trilho.post(`/payments/transactions/${cancelled.transaction_id}/cancel`, apiKey, {});
  for (const made of [paid, cancelled])
    await trilho.until('there is no picture', async () => {
      const found = await errors((await pictures(made)).filter(({ status }) => status !== 200));
      return JSON.stringify(found) === JSON.stringify(Array(2).fill([410, 'charge_not_payable'])) || null;
    });
});

test('an id of no charge has one answer, 404, whatever it is', async () => {
  const { transaction_id: id } = await charge();
  await trilho.pay(id);
  await trilho.until('the money is there', async () => {
    const { data } = (await trilho.get('/payments/balance', apiKey)).body;
    return (data as { available_balance: number }).available_balance > 0 || null;
  });
  const sent = await trilho.post('/payments/transfers/pix', apiKey, {
    ...{ amount: 1, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
  });
  const withdrawal = transactionIdOf(sent);
  const bodies = new Set<string>();
  for (const unknown of [randomUUID(), withdrawal, 'x', '%00', "'"]) {
    const answer = await fetch(`${trilho.url}/pay/${unknown}/qr.png`);
    expect([unknown, answer.status]).toEqual([unknown, 404]);
    bodies.add(await answer.text());
  }
  expect(bodies.size).toBe(1);
});

test('only GET and HEAD are answered, and a HEAD has the length of the picture', async () => {
  const { transaction_id: id } = await charge();
  const url = `${trilho.url}/pay/${id}/qr.svg`;
  const posted = await fetch(url, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const [head, got] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(String((await got.text()).length));
});

test('pictures count for their visitor as pages do', async () => {
  const strict = await startTestService({ beside: trilho, variables: { RATE_LIMIT_ANONYMOUS: '60', ROLE: 'web' } });
  const { transaction_id: id } = await charge();
  const statuses: number[] = [];
  for (let i = 0; i < 13; i++) statuses.push((await fetch(`${strict.url}/pay/${id}/qr.png`)).status);
  await strict.stop();
  // Each takes five points of sixty.
  expect(statuses).toEqual([...Array(12).fill(200), 429]);
});
