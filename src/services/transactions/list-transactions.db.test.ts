import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayStatusOf } from '#domain/transactions/display-status.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** A service whose clock the tests set, so that transactions lie on different days. */
let trilho: TestService;
let apiKey: string;
let panel: Awaited<ReturnType<typeof panelCaller>>;
let now = new Date('2026-11-10T15:00:00.000Z');
/** The ids of the transactions, by names that the tests give them. */
const ids: Record<string, string> = {};

const CUSTOMERS = {
  maria: { customerName: 'Maria da Silva', customerEmail: 'maria@example.com', description: 'Pedido 100 % lã' },
  jose: {
    customerName: 'José Pereira',
    customerEmail: 'jose.p@example.com',
    customerPhone: '11987654321',
    customerDocument: '52998224725',
    customerDocumentType: 'cpf',
    description: 'Mesa 7',
  },
  ana: { customerName: 'Ana Zq Lima', customerEmail: 'ana@loja.example.com', description: 'Frete' },
};

beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
  const account = await trilho.openAccount();
  apiKey = account.apiKey;
  panel = await panelCaller(trilho.deps, account.accountId);
  await make('maria', 100.5, '2026-11-10T15:00:00.000Z');
  await make('jose', 250, '2026-11-12T02:30:00.000Z');
  await make('ana', 99.99, '2026-11-20T12:00:00.000Z');
  // Another account's, with the same words in it.
  const other = await trilho.openAccount();
  await trilho.post('/payments/transactions', other.apiKey, { amount: 100.5, ...CUSTOMERS.maria });
});
afterAll(() => trilho.stop());

async function make(who: keyof typeof CUSTOMERS, amount: number, at: string) {
  now = new Date(at);
  const { body } = await trilho.post('/payments/transactions', apiKey, { amount, ...CUSTOMERS[who] });
  ids[who] = (body.data as { transaction_id: string }).transaction_id;
}

type Filter = Parameters<typeof panel.transactions.list>[0];
const found = async (filter: Filter) =>
  (await panel.transactions.list(filter)).data.map(
    ({ transaction_id }) => Object.keys(ids).find((name) => ids[name] === transaction_id) ?? 'another’s',
  );

describe('the list of transactions', () => {
  it('by amount includes both bounds, to the centavo', async () => {
    expect(await found({ min_amount: '100.5' })).toEqual(['jose', 'maria']);
    expect(await found({ min_amount: '100.51' })).toEqual(['jose']);
    expect(await found({ max_amount: '100.5' })).toEqual(['ana', 'maria']);
    expect(await found({ min_amount: '99.99', max_amount: '99.99' })).toEqual(['ana']);
  });

  it.each(['0', '-1', '1.999', '1,50', '1000000.01', 'x', '1e3'])('rejects %s as an amount', async (min_amount) => {
    await expect(panel.transactions.list({ min_amount })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { status } = await trilho.get(`/payments/transactions?max_amount=${min_amount}`, apiKey);
    expect(status).toBe(400);
  });

  it('by amount is the same over REST', async () => {
    const { body } = await trilho.get('/payments/transactions?min_amount=250&max_amount=250.00', apiKey);
    expect((body.data as { transaction_id: string }[]).map((one) => one.transaction_id)).toEqual([ids.jose]);
  });

  it('by period includes its first instant and excludes its last one', async () => {
    expect(await found({ from: '2026-11-12T02:30:00.000Z' })).toEqual(['ana', 'jose']);
    expect(await found({ to: '2026-11-12T02:30:00.000Z' })).toEqual(['maria']);
    expect(await found({ from: '2026-11-11', to: '2026-11-20T12:00:00.000Z' })).toEqual(['jose']);
    expect(await found({ from: '0001-01-01', to: '9999-12-31' })).toEqual(['ana', 'jose', 'maria']);
  });

  it('by period finds a transaction by its creation, also where its id is older, as after a request that was repeated days later', async () => {
    const { pool } = trilho.deps.db;
    await pool.query('UPDATE transactions SET created_at = $2 WHERE id = $1', [ids.maria, '2026-12-05T00:00:00Z']);
    expect(await found({ from: '2026-12-01' })).toEqual(['maria']);
    await pool.query('UPDATE transactions SET created_at = $2 WHERE id = $1', [ids.maria, '2026-11-10T15:00:00Z']);
  });

  it('by text finds the beginnings of words of a name, an e-mail and a description, in any case and without accents', async () => {
    expect(await found({ text: 'SILVA' })).toEqual(['maria']);
    expect(await found({ text: 'jose.p@' })).toEqual(['jose']);
    expect(await found({ text: 'josé per' })).toEqual(['jose']);
    expect(await found({ text: 'ilva' })).toEqual([]);
    expect(await found({ text: 'mesa 7' })).toEqual(['jose']);
    expect(await found({ text: 'example.com' })).toEqual(['ana', 'jose', 'maria']);
  });

  it('by a text of one or two letters finds whole words only', async () => {
    expect(await found({ text: 'zq' })).toEqual(['ana']);
    expect(await found({ text: 'p' })).toEqual(['jose']);
    expect(await found({ text: 'li' })).toEqual([]);
    expect(await found({ text: 'm' })).toEqual([]);
  });

  it('takes the wildcards of SQL patterns literally', async () => {
    expect(await found({ text: '100 %' })).toEqual(['maria']);
    expect(await found({ text: '%%%' })).toEqual([]);
    expect(await found({ text: 'mar_a' })).toEqual([]);
    expect(await found({ text: '\\' })).toEqual([]);
  });

  it('by text finds a telephone, whole or without its country and area, however it is written', async () => {
    for (const text of ['+55 (11) 98765-4321', '11987654321', '98765-4321'])
      expect([text, await found({ text })]).toEqual([text, ['jose']]);
    expect(await found({ text: '8765-4322' })).toEqual([]);
  });

  it('stores nothing readable of the texts that it is searched by', async () => {
    const { rows } = await trilho.deps.db.pool.query('SELECT to_jsonb(t) AS row FROM transactions t');
    expect(rows.length).toBeGreaterThan(3);
    // Sealed and hashed values are random: any three letters or five digits turn up in them.
    const readable = JSON.stringify(rows).replaceAll(/\bv\d+\.[\w+/=]+|\\\\x[0-9a-f]+/g, '');
    expect(readable).toContain('pix_in');
    expect(readable).not.toMatch(/maria|pereira|jose|zq|mesa|pedido|frete|98765-?4321|529\.?982\.?247/i);
  });

  it('by text finds whole ids, txids and documents', async () => {
    expect(await found({ text: ids.ana?.toUpperCase() })).toEqual(['ana']);
    expect(await found({ text: ids.ana?.replaceAll('-', '') })).toEqual(['ana']);
    expect(await found({ text: '529.982.247-25' })).toEqual(['jose']);
  });

  it('with several filters has the transactions that pass all of them', async () => {
    expect(await found({ text: 'example.com', min_amount: '100', to: '2026-11-11', type: 'pix_in' })).toEqual([
      'maria',
    ]);
    expect(await found({ text: 'example.com', status: 'paid' })).toEqual([]);
  });

  it('page by page has each transaction once', async () => {
    const first = await panel.transactions.list({ limit: '2', text: 'example' });
    const second = await panel.transactions.list({
      limit: '2',
      text: 'example',
      cursor: first.next_cursor ?? undefined,
    });
    const seen = [...first.data, ...second.data].map(({ transaction_id }) => transaction_id);
    expect(seen).toEqual([ids.ana, ids.jose, ids.maria]);
    expect(second.next_cursor).toBeNull();
  });
});

describe('the list by text of an account of several years', () => {
  const YEARS_MS = 3 * 365 * 86_400_000;
  const COPIES = 120;
  /** Newer than the copies, and more than are read before the index is. */
  const ROWS = 6_000;
  /** How many of the rows there are for each with the text. */
  const FREQUENT = 40;
  const RARE = 400;
  const at = (n: number) => new Date(now.getTime() - (n * YEARS_MS) / COPIES);
  const copies = Array.from({ length: COPIES }, (_, n) => uuidv7(at(n + 1)));
  let own: Awaited<ReturnType<typeof panelCaller>>;
  const made = { joana: '', frequent: '', rare: '' };
  /** What makes a copy of a charge a withdrawal. */
  const WITHDRAWAL = `'{"type": "crypto_out", "currency": "USDT_BSC", "units": 1, "quote_price": 1, "wallet": "0x0"}'::jsonb`;
  /** A withdrawal with the rare text, older than all others. */
  const withdrawal = uuidv7(at(COPIES + 1));
  const rowOf = (n: number) => `${made.joana.slice(0, 14)}7fff-bfff-ffff${n.toString(16).padStart(8, '0')}`;

  // Sealed texts are those of what was copied, and nobody could open them.
  beforeAll(async () => {
    const account = await trilho.openAccount();
    own = await panelCaller(trilho.deps, account.accountId);
    for (const name of ['joana', 'frequent', 'rare'] as const) {
      const { body } = await trilho.post('/payments/transactions', account.apiKey, { amount: 10, customerName: name });
      made[name] = (body.data as { transaction_id: string }).transaction_id;
    }
    // The oldest first.
    await trilho.asOwner(`INSERT INTO transactions SELECT (jsonb_populate_record(t,
        jsonb_build_object('id', copy.id, 'created_at', copy.at, 'customer_name', NULL))).*
      FROM transactions t, (VALUES ${copies
        .map((id, n) => `('${id}', '${at(n + 1).toISOString()}')`)
        .reverse()
        .join()}) AS copy (id, at)
      WHERE t.id = '${made.joana}'`);
    await trilho.asOwner(`INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object(
        'id', '${withdrawal}', 'created_at', '${at(COPIES + 1).toISOString()}', 'customer_name', NULL) || ${WITHDRAWAL})).*
      FROM transactions t WHERE t.id = '${made.rare}'`);
    await trilho.asOwner(`INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object(
        'id', left('${rowOf(0)}', -8) || lpad(to_hex(n), 8, '0'), 'customer_name', NULL,
        'status', CASE WHEN n % ${2 * FREQUENT} = 0 THEN 'expired' ELSE 'pending' END,
        'search_tokens', CASE WHEN t.id = '${made.joana}' THEN '[]' ELSE to_jsonb(t.search_tokens) END)
        || CASE WHEN t.id = '${made.joana}' THEN ${WITHDRAWAL} ELSE '{}' END)).*
      FROM generate_series(1, ${ROWS}) AS n JOIN transactions t ON t.id = CASE WHEN n % ${RARE} = 1 THEN '${made.rare}'
        WHEN n % ${FREQUENT} = 0 THEN '${made.frequent}' ELSE '${made.joana}' END::uuid`);
  });

  const listed = async (filter: Filter & { text: string }, limit: string) => {
    const all: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await own.transactions.list({ ...filter, limit, ...(cursor && { cursor }) });
      all.push(...page.data.map(({ transaction_id }) => transaction_id));
      if (page.next_cursor === null) return all;
      cursor = page.next_cursor;
    }
  };
  const rows = (oneIn: number, rest: number) => Array.from({ length: ROWS / oneIn }, (_, n) => rowOf(n * oneIn + rest));

  it('has each transaction once, page by page, the newest first, also within a period', async () => {
    for (const limit of ['5', '7', '100'])
      expect(await listed({ text: 'joana' }, limit)).toEqual([made.joana, ...copies]);
    const period = { text: 'joana', from: at(80).toISOString(), to: at(40).toISOString() };
    expect(await listed(period, '7')).toEqual(copies.slice(40, 80));
    expect(await listed({ ...period, status: 'paid' }, '7')).toEqual([]);
  });

  it.each<Filter>([
    {},
    { display_status: 'pending,expired' },
    { min_amount: '10', max_amount: '10', from: '2020-01-01T00:00:00.000Z' },
  ])(
    'has each transaction once where a page ends among the first that are read, those after them, or in the index (%j)',
    async (filter) => {
      for (const limit of ['5', '20', '100']) {
        const frequent = await listed({ ...filter, text: 'frequent' }, limit);
        expect(frequent).toEqual([...rows(FREQUENT, FREQUENT).reverse(), made.frequent]);
        const rare = await listed({ ...filter, text: 'rare' }, limit);
        expect(rare).toEqual([...rows(RARE, 1).reverse(), made.rare, withdrawal]);
      }
    },
  );

  it('has a withdrawal by a text that charges have, too, and the charges without it', async () => {
    expect(await listed({ text: 'rare', type: 'crypto_out' }, '5')).toEqual([withdrawal]);
    expect(await listed({ text: 'rare', type: 'pix_in' }, '5')).toEqual([...rows(RARE, 1).reverse(), made.rare]);
  });

  it('has none where the text and the status are of no transaction together', async () => {
    expect(await listed({ text: 'frequent', status: 'paid' }, '5')).toEqual([]);
    expect(await listed({ text: 'rare', display_status: 'expired' }, '5')).toEqual([]);
  });
});

describe('the list by badge and by date of payment', () => {
  /** Transactions with different outcomes, which are written straight into the table. */
  const FATES = {
    'PIX paid': ['pix_in', `'paid'`, `NULL`, 0],
    'PIX paid, a part returned': ['pix_in', `'paid'`, `NULL`, 40],
    'PIX returned': ['pix_in', `'refunded'`, `NULL`, 100],
    'PIX expired': ['pix_in', `'expired'`, `NULL`, 0],
    'crypto paid': ['crypto_in', `'completed'`, `NULL`, 0],
    'crypto underpaid': ['crypto_in', `'completed'`, `'underpaid'`, 0],
    'crypto overpaid': ['crypto_in', `'completed'`, `'overpaid'`, 0],
    'crypto seen': ['crypto_in', `'pending'`, `'detected'`, 0],
    'crypto late': ['crypto_in', `'completed'`, `'late'`, 0],
  } as const;
  const byId = new Map<string, string>();
  let mine: typeof panel;
  let mineId: string;

  beforeAll(async () => {
    const { accountId } = await trilho.openAccount();
    mineId = accountId;
    mine = await panelCaller(trilho.deps, accountId);
    let day = 1;
    for (const [name, [type, status, subStatus, refunded]] of Object.entries(FATES)) {
      const id = uuidv7(new Date(Date.UTC(2026, 9, day)));
      byId.set(id, name);
      const [at, paidAt] = [day++, 30 - day].map((date) => new Date(Date.UTC(2026, 9, date)).toISOString());
      const coins = type === 'crypto_in' ? `'USDT_BSC', 1, 1` : 'NULL, NULL, NULL';
      await trilho.asOwner(`INSERT INTO transactions (id, account_id, type, status, sub_status, amount_centavos, fee_centavos,
          net_centavos, refunded_centavos, rail, currency, units, quote_price, created_at, updated_at, paid_at)
        VALUES ('${id}', '${accountId}', '${type}', ${status}, ${subStatus}, 100, 0, 100, ${refunded}, 'sandbox', ${coins},
          '${at}', '2026-10-30', ${status.includes('expired') || status.includes('pending') ? 'NULL' : `'${paidAt}'`})`);
    }
  });
  const names = async (filter: Filter) =>
    (await mine.transactions.list(filter)).data.map(({ transaction_id }) => byId.get(transaction_id)).sort();

  it.each([
    ['paid', ['PIX paid', 'crypto paid']],
    ['partially_refunded', ['PIX paid, a part returned']],
    ['refunded', ['PIX returned']],
    ['underpaid,overpaid', ['crypto overpaid', 'crypto underpaid']],
    ['detected', ['crypto seen']],
    ['late', ['crypto late']],
    ['pending', []],
    ['completed', []],
  ])('%s finds the transactions with that badge, and no others', async (display_status, expected) => {
    expect(await names({ display_status })).toEqual(expected);
  });

  it('agrees with the badge of every transaction', async () => {
    const { data } = await mine.transactions.list({});
    expect(data).toHaveLength(byId.size);
    for (const { transaction_id, type, status, sub_status, refunded_amount: _, ...rest } of data) {
      const isPartlyRefunded = byId.get(transaction_id) === 'PIX paid, a part returned';
      const display = displayStatusOf({ type, status, subStatus: sub_status, isPartlyRefunded });
      expect([rest.amount, await names({ display_status: display })]).toEqual([
        1,
        expect.arrayContaining([byId.get(transaction_id)]),
      ]);
    }
  });

  it('finds nothing for a status that never has the badge, with any other filters', async () => {
    const contradiction = { status: 'pending', display_status: 'failed' };
    for (const rest of [
      {},
      { reference: 'x' },
      { min_amount: '1' },
      { reference: 'x', min_amount: '1', type: 'pix_in' },
    ])
      expect(await names({ ...contradiction, ...rest })).toEqual([]);
  });

  it('rejects a word that is no badge', async () => {
    await expect(mine.transactions.list({ display_status: 'payed' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('by date of payment includes its first instant and excludes its last one, whenever a transaction was made', async () => {
    // The first of October was paid on the 28th, the second on the 27th, the third on the 26th.
    expect(await names({ paid_from: '2026-10-27' })).toEqual(['PIX paid', 'PIX paid, a part returned']);
    expect(await names({ paid_from: '2026-10-26', paid_to: '2026-10-28' })).toEqual([
      'PIX paid, a part returned',
      'PIX returned',
    ]);
    expect(await names({ paid_to: '2026-10-22' })).toEqual(['crypto late']);
    expect(await names({ paid_from: '2026-10-27', to: '2026-10-02' })).toEqual(['PIX paid']);
  });

  it('by date of payment finds what was booked days after it was paid', async () => {
    // As money that a sweep found, or that waited for a decision.
    const id = uuidv7(new Date('2026-10-20'));
    byId.set(id, 'PIX booked later');
    await trilho.asOwner(`INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos,
        rail, created_at, updated_at, paid_at)
      VALUES ('${id}', '${mineId}', 'pix_in', 'paid', 100, 0, 100, 'sandbox', '2026-10-20', '2026-10-20', '2026-10-10T12:00Z')`);
    const day = { paid_from: '2026-10-10', paid_to: '2026-10-11' };
    for (const filter of [{}, { status: 'paid' }, { text: id }, { min_amount: '1', max_amount: '1' }, { limit: '1' }])
      expect([filter, await names({ ...day, ...filter })]).toEqual([filter, ['PIX booked later']]);
    const ends = [{ paid_to: '2026-10-10T12:00:00.000Z' }, { paid_from: '2026-10-10T12:00:00.001Z' }];
    for (const end of ends) expect(await names({ ...day, ...end })).toEqual([]);
  });
});
