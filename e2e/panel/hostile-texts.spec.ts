import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { pngFile } from '../../src/testing/uploaded-files.ts';
import { expect, type PanelMerchant, test } from './fixtures.ts';
import { PANEL_PAGES } from './pages.ts';

/** Each runs `__evil`, or leaves an element with `data-evil`, where it is not treated as text. */
const PAYLOADS = [
  `<img data-evil src=x onerror=__evil=1>`,
  `"><svg data-evil onload=__evil=1>`,
  `</script><script data-evil>__evil=1</script>`,
  `'"-(__evil=1)-"'`,
  'javascript:__evil=1//',
  `{{__evil=1}}\${__evil=1}`,
  `<a data-evil href=//evil.example>x</a>`,
  `</title><link data-evil rel=stylesheet href=//evil.example>`,
  `"autofocus onfocus=__evil=1 data-evil="`,
  `<iframe data-evil srcdoc="<script>parent.__evil=1</script>">`,
];
/** `npm run attack` puts each payload into every field; otherwise each goes into one field. */
const ROUNDS = process.env.TRILHO_ATTACK === 'long' ? PAYLOADS.length : 1;

for (let round = 0; round < ROUNDS; round++) {
  // ASVS 1.1.2, 1.2.1, 1.2.3, 1.3.2, 3.2.2, 3.4.3, 3.4.6
  test(`typed text is text on every page, no script runs without its nonce, and none may be framed: ${round + 1}`, async ({
    page,
    shop,
    operatorPage,
    baseURL,
  }) => {
    let field = round;
    const payload = () => PAYLOADS[field++ % PAYLOADS.length] ?? '';
    const found = await watch(page, baseURL ?? '');
    const foundByOperator = await watch(operatorPage, baseURL ?? '');
    const receiver = await startReceiver(payload());
    const { id, pages } = await fill(page, shop, { payload, callbackUrl: receiver.url, baseURL: baseURL ?? '' });
    const detail = `/test/transacoes/${id}`;
    const ofShop = [...PANEL_PAGES.map((path) => `/test${path}`), detail, `${detail}/recibo`, ...pages];
    const ofOperator = [`/operator/transacoes/${id}`, ...(ROUNDS > 1 ? operatorPages(shop) : [])];
    for (const path of [...ofShop, ...ofOperator]) {
      const on = ofShop.includes(path) ? page : operatorPage;
      const answer = await on.goto(path);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      expect(policy, path).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic'/);
      expect(policy, path).toContain("frame-ancestors 'none'");
      expect(/script-src [^;]*/.exec(policy)?.[0] ?? '', path).not.toContain('unsafe');
      await settle(on);
      expect(await findInjections(on), path).toEqual([]);
      if (path.endsWith(id)) await expect(on.getByText('evil').first()).toBeVisible();
    }
    // The answer of a receiver is shown with its attempt.
    await page.goto(`/test/webhooks`);
    await page.getByRole('link', { name: 'Cobrança paga' }).first().click();
    await expect(page.getByRole('dialog').getByText(receiver.answer.slice(0, 20)).first()).toBeVisible();
    expect(await findInjections(page)).toEqual([]);
    expect([...found, ...foundByOperator]).toEqual([]);
    test.info().annotations.push({ type: 'tried', description: String(ofShop.length + ofOperator.length + 1) });
    receiver.close();
  });
}

test('planted: a text that is treated as markup or script is found', async ({ page, baseURL }) => {
  const found = await watch(page, baseURL ?? '');
  await page.route('**/plant', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "img-src 'none'" },
      body: `<h1>x</h1>${PAYLOADS[1]}${PAYLOADS[7]}<a href="JavaScript:__evil=1">x</a><img src=x><script>alert(1)</script>`,
    }),
  );
  await page.goto('/plant');
  await expect.poll(() => found.map((what) => what.split(':')[0]).sort()).toEqual(['dialog', 'foreign', 'policy']);
  expect(await findInjections(page)).toEqual(['2 elements', '1 javascript: addresses', 'a script ran']);
});

/** What an operator sees of a shop, besides a transaction. */
const operatorPages = ({ accountId }: PanelMerchant) => [
  ...['/operator/transacoes', '/operator/contas', `/operator/contas/${accountId}`, '/operator/saques'],
  ...['/operator/auditoria', '/operator/emails', '/operator/verificacoes', '/operator/decisoes'],
];

/**
 * Puts a payload into everything that takes a text; a rejection is as good. Returns the id of the
 * paid charge, and further pages that show payloads.
 */
async function fill(
  page: Page,
  shop: PanelMerchant,
  { payload, callbackUrl, baseURL }: { payload: () => string; callbackUrl: string; baseURL: string },
): Promise<{ id: string; pages: string[] }> {
  const headers = { origin: new URL(baseURL).origin };
  const charge = { amount: 15, description: payload(), customerName: payload(), callbackUrl };
  const answer = await shop.post('/payments/transactions', {
    ...charge,
    callbackUrl: `${callbackUrl}?${encodeURIComponent(payload())}`,
  });
  const id = (answer.body.data as { transaction_id: string }).transaction_id;
  await shop.pays(id);
  await shop.post('/payments/transactions', { ...charge, callbackUrl: payload() });
  await shop.post('/payments/transactions', { ...charge, customerEmail: `${payload()}@example.com` });
  await shop.post('/payments/transfers/pix', {
    ...{ amount: 1, pixKey: 'a@example.com', pixKeyType: 'EMAIL', description: payload() },
  });
  await shop.post('/payments/transfers/pix', { amount: 1, pixKey: payload(), pixKeyType: 'EMAIL' });
  await shop.post(`/payments/transactions/${id}/refund`, { amount: 1, description: payload() });
  const invoice = await shop.post('/payments/deposits/crypto', {
    amount: 150,
    currency: 'BTC',
    description: payload(),
  });
  await shop.get(`/payments/transactions?status=${encodeURIComponent(payload())}`);
  await page.request.get('/payments/balance', {
    headers: { 'x-api-key': shop.apiKey, 'user-agent': payload(), 'idempotency-key': encodeURIComponent(payload()) },
  });
  const call = (procedure: string, data: object) => page.request.post(`/api/trpc/test/${procedure}`, { data, headers });
  expect((await call('session.confirm', { password: shop.password })).status()).toBe(200);
  await call('keys.create', { name: payload(), permissions: ['balance:read'], allowed_ips: [], expires_at: null });
  await call('webhooks.setEndpoint', { topic: 'usdt', url: `${callbackUrl}/${encodeURIComponent(payload())}` });
  await call('webhooks.setEndpoint', { topic: 'withdrawal', url: payload() });
  await call('people.invite', { email: `"${payload()}"@example.com` });
  await call('charges.create', { amount: 16, description: payload() });
  await page.request.post(`/upload/test/kyc?kind=identity&name=${encodeURIComponent(`${payload()}.png`)}`, {
    data: pngFile(),
    headers: { ...headers, 'content-type': 'image/png' },
  });
  // Another browser of the member, with a payload as its user agent.
  await page.request.post('/api/auth/sign-in/email', {
    data: { email: shop.email, password: shop.password },
    headers: { ...headers, 'user-agent': payload(), cookie: '' },
  });
  const invoiceId = (invoice.body.data as { transaction_id?: string } | undefined)?.transaction_id;
  const text = encodeURIComponent(payload());
  return {
    id,
    pages: [
      ...[`/pay/${id}`, ...(invoiceId ? [`/test/transacoes/${invoiceId}`] : [])],
      ...[`/test/transacoes?busca=${text}&status=${text}`, `/entrar?next=${text}`, `/pay/${text}`],
    ],
  };
}

/** Collects what a browser reports: dialogs, what the policy blocked, requests to other hosts. */
async function watch(page: Page, baseURL: string): Promise<string[]> {
  const found: string[] = [];
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text()) && found.every((what) => !what.startsWith('policy')))
      found.push(`policy: ${message.text()}`);
  });
  const own = new URL(baseURL).host;
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && host !== own) found.push(`foreign: ${request.url()}`);
  });
  return found;
}

const findInjections = async (page: Page): Promise<string[]> => {
  const ran = await page.evaluate(() => '__evil' in window);
  const elements = await page.locator('[data-evil]').count();
  // Nobody follows a link here, and React replaces such an address by one that throws.
  const addresses = await page
    .locator(['href', 'src', 'action', 'formaction'].map((name) => `[${name}^="javascript:" i]`).join())
    .count();
  return [
    ...(elements > 0 ? [`${elements} elements`] : []),
    ...(addresses > 0 ? [`${addresses} javascript: addresses`] : []),
    ...(ran ? ['a script ran'] : []),
  ];
};

async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[class*="mantine-Skeleton-root"][data-visible="true"]')).toHaveCount(0);
}

async function startReceiver(answer: string): Promise<{ url: string; answer: string; close(): void }> {
  const server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, answer, close: () => server.close() };
}
