import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { openMember, type PanelBrowser } from './panel-browser.ts';
import { startTestService, type TestService } from './test-service.ts';
import { pngFile } from './uploaded-files.ts';

/**
 * A reader of the whole database finds nothing of what was typed, uploaded, called back or handed
 * out.
 */

/** Each is typed into one field; none is a word of the product. */
const CANARIES = {
  payerName: 'Xiromera Quelfontes',
  payerEmail: 'vuktrop@zelmiraxo.example',
  payerPhone: '21973150846',
  payerDocument: '39053344705',
  description: 'Frombulax azulado',
  reference: 'pedidux-44871',
  metadata: 'Brivontes do balcão',
  refundReason: 'Devolvexo porque sim',
  withdrawalNote: 'Saquarex de teste',
  pixKey: 'grimpaldo@hostrux.example',
  customerDocument: '11144477735',
  customerPhone: '31984627105',
  fileName: 'crachá-blenfor',
  callback: 'pagadorix-de-fora',
  idempotencyKey: 'pedido-da-klomberta',
};
/** Secrets that the service handed out, in the spellings in which they could be stored. */
const secrets: string[] = [];

let trilho: TestService;
let browser: PanelBrowser;
let chargeId: string;

beforeAll(async () => {
  trilho = await startTestService();
  const platform = await trilho.openAccount({ canCreateAccounts: true });
  const key = await createApiKey(trilho.deps, {
    accountId: platform.accountId,
    name: 'tudo',
    permissions: [...PERMISSIONS],
  });
  const apiKey = key?.apiKey ?? '';
  secrets.push(apiKey, platform.apiKey, platform.secretKey, '+55'.concat(CANARIES.payerPhone));
  const post = async (path: string, body: object, idempotencyKey?: string) => {
    const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : undefined;
    const answer = await trilho.post(path, apiKey, body, headers);
    expect([path, answer.status, answer.body.message]).toEqual([
      path,
      expect.toSatisfy((s) => s < 300),
      expect.anything(),
    ]);
    return answer.body.data as Record<string, string>;
  };
  const charge = await post(
    '/payments/transactions',
    {
      amount: 100,
      customerName: CANARIES.payerName,
      customerEmail: CANARIES.payerEmail,
      customerPhone: CANARIES.payerPhone,
      customerDocument: CANARIES.payerDocument,
      customerDocumentType: 'cpf',
      description: CANARIES.description,
      reference: CANARIES.reference,
      metadata: { nota: CANARIES.metadata },
    },
    CANARIES.idempotencyKey,
  );
  chargeId = charge.transaction_id ?? '';
  await trilho.pay(chargeId);
  await trilho.until('it is paid', async () => {
    const { rows } = await trilho.deps.db.pool.query("SELECT FROM transactions WHERE status = 'paid'");
    return rows.length > 0 ? true : null;
  });
  await post(`/payments/transactions/${chargeId}/refund`, { amount: 10, description: CANARIES.refundReason });
  await post('/payments/transfers/pix', {
    amount: 5,
    pixKey: CANARIES.pixKey,
    pixKeyType: 'EMAIL',
    description: CANARIES.withdrawalNote,
  });
  const opened = await post(
    '/accounts',
    {
      name: 'Cliente',
      email: 'cliente@example.com',
      document: CANARIES.customerDocument,
      documentType: 'cpf',
      phone: CANARIES.customerPhone,
    },
    'conta',
  );
  secrets.push(opened.api_key ?? '', opened.secret_key ?? '');

  browser = (await openMember(trilho, 'dump@example.com')).browser;
  const upload = await fetch(
    `${trilho.url}/upload/test/kyc?kind=identity&name=${encodeURIComponent(`${CANARIES.fileName}.png`)}`,
    {
      method: 'POST',
      headers: {
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: trilho.url,
        'content-type': 'image/png',
      },
      body: new Uint8Array(pngFile()),
    },
  );
  expect(upload.status).toBe(201);
  for (const value of browser.cookies.values()) secrets.push(decodeURIComponent(value).split('.')[0] ?? '');

  const callback = await fetch(`${pixCallbackUrl(trilho.url, trilho.deps.secretBox, 'sandbox')}/pix`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pix: [{ endToEndId: 'E'.repeat(32), infoPagador: CANARIES.callback }] }),
  });
  expect(callback.status).toBe(200);
  // The records of requests are written later.
  await trilho.until('the requests are noted', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT FROM request_records');
    return rows.length >= 4 ? true : null;
  });
});
afterAll(() => trilho.stop());

/** Every value of every table, as text, and what base64 and hex in it decode to. */
async function dump(): Promise<string> {
  const { pool } = trilho.deps.db;
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
    texts.push(...rows.map(({ row }) => row));
  }
  const all = texts.join('\n');
  const decoded = [
    ...(all.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? []).map((one) => Buffer.from(one, 'base64').toString('utf8')),
    ...(all.match(/(?:[0-9a-f]{2}){8,}/g) ?? []).map((one) => Buffer.from(one, 'hex').toString('utf8')),
  ];
  return [all, ...decoded].join('\n').toLowerCase();
}

/** The canaries of which a dump has a recognisable part. */
function foundIn(text: string): string[] {
  const wanted = [...Object.values(CANARIES), ...secrets.filter((secret) => secret.length > 8)];
  return wanted.filter((one) => {
    const parts = [one, ...one.split(/[^\p{L}\p{N}]+/u).filter((part) => /^(?=.*[xqklz])[a-zà-ú]{8,}$/i.test(part))];
    return parts.some((part) => text.includes(part.toLowerCase()));
  });
}

test('a dump of the database has no personal data and no secret', async () => {
  expect(secrets.filter((secret) => secret.length > 8).length).toBeGreaterThan(5);
  expect(foundIn(await dump())).toEqual([]);
});

test('planted: a column in the clear is found in a dump, as text and as bytes', async () => {
  const { pool } = trilho.deps.db;
  const { rows } = await pool.query<{ sealed: string; index: Buffer }>(
    'SELECT customer_name AS sealed, customer_document_index AS index FROM transactions WHERE id = $1',
    [chargeId],
  );
  await pool.query('UPDATE transactions SET customer_name = $2, customer_document_index = $3 WHERE id = $1', [
    chargeId,
    CANARIES.payerName,
    Buffer.from(CANARIES.payerDocument),
  ]);
  expect(foundIn(await dump())).toEqual([CANARIES.payerName, CANARIES.payerDocument]);
  await pool.query('UPDATE transactions SET customer_name = $2, customer_document_index = $3 WHERE id = $1', [
    chargeId,
    rows[0]?.sealed,
    rows[0]?.index,
  ]);
});
