import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { readEventData } from '#testing/read-events.ts';
import { type Answer, startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/** References and metadata of merchants, from the request to every response and event with them. */

let trilho: TestService;
let apiKey: string;
beforeAll(async () => {
  trilho = await startTestService();
  apiKey = await richAccount();
});
afterAll(() => trilho.stop());

const METADATA = { loja: 'Centro', 'pedido.id': '7', Vendedora: 'Ana' };

/** The requests that create something with a reference. */
const KINDS = {
  'a charge': (body: object, key = apiKey, headers = {}) =>
    trilho.post('/payments/transactions', key, { amount: 10, ...body }, headers),
  'a crypto deposit': (body: object, key = apiKey, headers = {}) =>
    trilho.post('/payments/deposits/crypto', key, { amount: 108, ...body }, headers),
  'a PIX withdrawal': (body: object, key = apiKey, headers = {}) =>
    trilho.post('/payments/transfers/pix', key, { amount: 2, ...PIX_KEY, ...body }, headers),
  'a scheduled PIX withdrawal': (body: object, key = apiKey, headers = {}) =>
    trilho.post(
      '/payments/transfers/pix',
      key,
      { amount: 2, ...PIX_KEY, scheduledFor: dateInSaoPaulo(new Date(Date.now() + 3 * DAY_MS)), ...body },
      headers,
    ),
  'a crypto withdrawal': (body: object, key = apiKey, headers = {}) =>
    trilho.post('/payments/transfers/crypto', key, { amount: 108, wallet: WALLET, ...body }, headers),
};
const kinds = Object.entries(KINDS);

const refund = (body: object) =>
  trilho.post(`/payments/transactions/${paid[apiKey]}/refund`, apiKey, { amount: 1, ...body });

const DAY_MS = 24 * 60 * 60_000;
const PIX_KEY = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** An account with money, from a charge that is paid. */
async function richAccount(): Promise<string> {
  const { apiKey: key } = await trilho.openAccount({ currency: 'USDT_BSC' });
  paid[key] = await makePaidCharge(trilho, key, { amount: 9_000 });
  return key;
}
/** The paid charge of each account, by its API key. */
const paid: Record<string, string> = {};

const details = async (id: string) =>
  (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as Record<string, unknown>;
const found = async (query: string, key = apiKey) => {
  const { status, body } = await trilho.get(`/payments/transactions?${query}`, key);
  return status === 200 ? (body.data as { transaction_id: string }[]).map((one) => one.transaction_id) : body.details;
};

describe.each(kinds)('%s', (name, create) => {
  test('gives reference and metadata back as they were sent, in its answer, its detail and the list', async () => {
    const reference = `Pedido ${name} nº 42/ção`;
    const created = await create({ reference, metadata: METADATA });
    expect(created.body.data).toMatchObject({ reference, metadata: METADATA });
    const id = transactionIdOf(created);
    expect(await details(id)).toMatchObject({ reference, metadata: METADATA });
    expect(created.text).toContain(JSON.stringify(METADATA));
    const { body } = await trilho.get(`/payments/transactions?reference=${encodeURIComponent(reference)}`, apiKey);
    expect(body.data).toEqual([expect.objectContaining({ transaction_id: id, reference, metadata: METADATA })]);
  });

  test('has null for what was not sent, and for metadata without a pair', async () => {
    expect((await create({ metadata: {} })).body.data).toMatchObject({ reference: null, metadata: null });
    expect((await create({ reference: null, metadata: null })).body.data).toMatchObject({
      reference: null,
      metadata: null,
    });
  });

  test('that asks for a unique reference is rejected while something else of the account has it', async () => {
    const reference = `único ${name}`;
    const first = await create({ reference });
    const before = await found('limit=100');
    const second = await create({ reference, referenceUnique: true });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ success: false, transaction_id: transactionIdOf(first) });
    expect(await found('limit=100')).toEqual(before);
    // It is accepted where it need not be unique, and in another account.
    expect((await create({ reference })).status).toBeLessThan(300);
    const other = await richAccount();
    expect((await create({ reference, referenceUnique: true }, other)).status).toBeLessThan(300);
  });

  test('is created once when several requests at once ask for the same unique reference', async () => {
    const body = { reference: `corrida ${name}`, referenceUnique: true };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body)));
    const created = answers.filter(({ status }) => status < 300);
    expect(created).toHaveLength(1);
    for (const { status, body } of answers.filter(({ status }) => status >= 300)) {
      expect([status, body.transaction_id]).toEqual([409, transactionIdOf(created[0] as Answer)]);
    }
  });

  test('is not created again by a repeated request with its Idempotency-Key, and a rejected request succeeds once the reference is free', async () => {
    const headers = { 'idempotency-key': `mesmo ${name}`.replace(/ /g, '-') };
    const body = { reference: `mesmo ${name}`, referenceUnique: true };
    const first = await create(body, apiKey, headers);
    expect(transactionIdOf(await create(body, apiKey, headers))).toBe(transactionIdOf(first));
    const later = { 'idempotency-key': `depois ${name}`.replace(/ /g, '-') };
    expect((await create(body, apiKey, later)).status).toBe(409);
    await trilho.deps.db.pool.query("UPDATE transactions SET status = 'failed', sub_status = NULL WHERE id = $1", [
      transactionIdOf(first),
    ]);
    expect((await create(body, apiKey, later)).status).toBeLessThan(300);
  });
});

describe('a refund', () => {
  type Refund = { refund_id: string; reference: string | null; metadata: object | null };
  const refundsOf = async (id: string) => (await details(id)).refunds as Refund[];

  test('gives its own reference and metadata back, in its answer and its charge, which is found by the reference', async () => {
    const charge = paid[apiKey] ?? '';
    const { status, body } = await refund({ reference: 'DEV-1', metadata: METADATA });
    expect([status, body.data]).toEqual([200, expect.objectContaining({ reference: 'DEV-1', metadata: METADATA })]);
    const { refund_id: id } = body.data as Refund;
    const kept = (await refundsOf(charge)).find((one) => one.refund_id === id);
    expect(kept).toMatchObject({ reference: 'DEV-1', metadata: METADATA });
    expect(await details(charge)).toMatchObject({ reference: null, metadata: null });
    expect(await found('reference=DEV-1')).toEqual([charge]);
    expect(await found('text=DEV-1')).toEqual([charge]);
    expect(await found('text=DEV')).toEqual([]);
    const event = await trilho.until('its event is there', async () =>
      (await readEventData(trilho.deps, charge)).find((data) => data.refund_id === id),
    );
    expect(event).toMatchObject({ reference: null, refund_reference: 'DEV-1', refund_metadata: METADATA });
    const { body: next } = await refund({ metadata: { motivo: 'troca' } });
    expect(next.data).toMatchObject({ reference: null, metadata: { motivo: 'troca' } });
  });

  test('can’t have a unique reference that a transaction has, nor a transaction one that a refund has', async () => {
    await refund({ reference: 'DEV-2' });
    const charge = await KINDS['a charge']({ reference: 'DEV-2', referenceUnique: true });
    expect([charge.status, charge.body.transaction_id]).toEqual([409, paid[apiKey]]);
    const id = transactionIdOf(await KINDS['a charge']({ reference: 'DEV-3' }));
    const before = (await refundsOf(paid[apiKey] ?? '')).length;
    const rejected = await refund({ reference: 'DEV-3', referenceUnique: true });
    expect([rejected.status, rejected.body.transaction_id]).toEqual([409, id]);
    expect(await refundsOf(paid[apiKey] ?? '')).toHaveLength(before);
  });
});

test('the next payout of a schedule has the reference and the metadata of the first', async () => {
  const id = transactionIdOf(
    await KINDS['a scheduled PIX withdrawal']({
      ...{ reference: 'ALUGUEL', referenceUnique: true, metadata: METADATA },
      repeat: { every: 'month', count: 3 },
    }),
  );
  await trilho.deps.db.pool.query('UPDATE transactions SET scheduled_for = now() WHERE id = $1', [id]);
  await trilho.deps.db.pool.query(
    "UPDATE tasks SET due_at = now() WHERE kind = 'scheduled_payout' AND subject_id = $1",
    [id],
  );
  const next = await trilho.until('the next one is planned', async () => {
    const ids = (await found('reference=ALUGUEL')) as string[];
    return ids.find((one) => one !== id);
  });
  expect(await details(next)).toMatchObject({ status: 'pending', reference: 'ALUGUEL', metadata: METADATA });
});

describe('the list of transactions', () => {
  test('is filtered by a whole reference, together with the other filters', async () => {
    const create = KINDS['a charge'];
    const ids = [
      transactionIdOf(await create({ reference: 'FILTRO-1' })),
      transactionIdOf(await create({ reference: 'FILTRO-1' })),
    ];
    await create({ reference: 'FILTRO-12' });
    expect(await found('reference=FILTRO-1')).toEqual([...ids].reverse());
    expect(await found('reference=FILTRO-1&limit=1')).toEqual([ids[1]]);
    expect(await found(`reference=FILTRO-1&cursor=${ids[1]}`)).toEqual([ids[0]]);
    expect(await found('reference=FILTRO-1&status=pending&type=pix_in&min_amount=10')).toEqual([...ids].reverse());
    expect(await found('reference=FILTRO-1&status=paid')).toEqual([]);
    expect(await found('reference=FILTRO-1&min_amount=10.01')).toEqual([]);
    expect(await found('reference=filtro-1')).toEqual([]);
    expect(await found('reference=FILTRO-1', (await trilho.openAccount()).apiKey)).toEqual([]);
  });

  test('is filtered by one pair of metadata, name and text together', async () => {
    const create = KINDS['a charge'];
    const id = transactionIdOf(await create({ reference: 'par', metadata: { canal: 'loja=centro', lote: '9' } }));
    const pair = (text: string) => `metadata=${encodeURIComponent(text)}`;
    expect(await found(pair('canal=loja=centro'))).toEqual([id]);
    expect(await found(`${pair('lote=9')}&reference=par&status=pending`)).toEqual([id]);
    expect(await found(`${pair('lote=9')}&text=par`)).toEqual([id]);
    expect(await found(`${pair('lote=9')}&text=outro`)).toEqual([]);
    expect(await found(pair('lote=loja=centro'))).toEqual([]);
    expect(await found(pair('canal=loja'))).toEqual([]);
    expect(await found(pair('lote'))).toEqual([
      expect.objectContaining({ field: 'metadata', code: 'not_metadata_pair' }),
    ]);
  });

  test('finds by text the beginnings of words of a reference and of the texts of metadata', async () => {
    const id = transactionIdOf(
      await KINDS['a charge']({ reference: 'ZQX-778', metadata: { obs: 'Embrulho dourado' } }),
    );
    expect(await found('text=zqx-778')).toEqual([id]);
    expect(await found('text=dourad')).toEqual([id]);
    expect(await found('text=obs')).toEqual([]);
  });
});

describe('the check of reference and metadata', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 'x']));
  test.each([
    { what: 'a long reference', field: 'reference', body: { reference: 'x'.repeat(101) }, text: 'no máximo 100' },
    { what: 'an empty reference', field: 'reference', body: { reference: ' ' }, text: 'vazio' },
    { what: 'a number as reference', field: 'reference', body: { reference: 7 }, text: 'texto' },
    {
      what: 'an absent reference that is to be unique',
      field: 'reference',
      body: { referenceUnique: true },
      text: 'referenceUnique',
    },
    {
      what: 'a text for yes or no',
      field: 'referenceUnique',
      body: { reference: 'x', referenceUnique: 'true' },
      text: 'true ou false',
    },
    { what: 'a text as metadata', field: 'metadata', body: { metadata: 'x' }, text: 'objeto' },
    { what: 'a list as metadata', field: 'metadata', body: { metadata: ['x'] }, text: 'objeto' },
    { what: '21 pairs', field: 'metadata', body: { metadata: pairs(21) }, text: 'no máximo 20' },
    { what: 'a name with a sign', field: 'metadata', body: { metadata: { 'a=b': 'x' } }, text: 'nome' },
    { what: 'an empty name', field: 'metadata', body: { metadata: { '': 'x' } }, text: 'nome' },
    { what: 'a long name', field: 'metadata', body: { metadata: { ['x'.repeat(41)]: 'x' } }, text: '40' },
    {
      what: 'the name of the prototype',
      field: 'metadata',
      body: { metadata: JSON.parse('{"__proto__": "x"}') },
      text: 'nome',
    },
    { what: 'a number in metadata', field: 'metadata.n', body: { metadata: { n: 7 } }, text: 'texto' },
    { what: 'null in metadata', field: 'metadata.n', body: { metadata: { n: null } }, text: 'texto' },
    {
      what: 'a long text in metadata',
      field: 'metadata.n',
      body: { metadata: { n: 'x'.repeat(501) } },
      text: 'no máximo 500',
    },
    {
      what: "what can't be stored in metadata",
      field: 'metadata.n',
      body: { metadata: { n: '\u0000' } },
      text: 'aracter',
    },
    {
      what: 'long metadata',
      field: 'metadata',
      body: { metadata: Object.fromEntries(Object.keys(pairs(11)).map((n) => [n, 'x'.repeat(499)])) },
      text: '5000',
    },
  ])('rejects $what, with the field and what to do', async ({ field, body, text }) => {
    const { status, body: answer } = await KINDS['a charge'](body);
    expect(status).toBe(400);
    expect(answer.details).toEqual([expect.objectContaining({ field, message: expect.stringContaining(text) })]);
  });

  test('accepts a reference and metadata of the maximum length', async () => {
    const metadata = Object.fromEntries(Object.keys(pairs(9)).map((name) => [name, '🙂'.repeat(500)]));
    const reference = '🙂'.repeat(100);
    const { status, body } = await KINDS['a charge']({ reference, metadata });
    expect(status).toBe(200);
    expect((body.data as { metadata: object }).metadata).toEqual(metadata);
    expect((await KINDS['a charge']({ metadata: pairs(20) })).status).toBe(200);
  });

  test('accepts metadata with the names of members of every object, and changes no object', async () => {
    const metadata = { constructor: 'x', toString: 'y', prototype: 'z' };
    const { body } = await KINDS['a charge']({ metadata });
    expect(body.data).toMatchObject({ metadata });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(String({})).toBe('[object Object]');
  });
});

test('the status query returns the reference and the metadata of a charge', async () => {
  const id = transactionIdOf(await KINDS['a charge']({ reference: 'estado', metadata: METADATA }));
  const { body } = await trilho.get(`/payments/transactions/${id}/status?type=pix_in`, apiKey);
  expect(body.data).toMatchObject({ transaction_id: id, reference: 'estado', metadata: METADATA });
});
