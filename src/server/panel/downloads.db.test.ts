import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#db/connection/pool.ts';
import { post } from '#db/testing/postings.ts';
import { verifyProof } from '#domain/ledger/verify-proof.ts';
import { readCsv } from '#domain/testing/read-csv.ts';
import type { Deps } from '#services/deps.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { makePaidCharge } from '../../testing/paid-charge.ts';
import { panelCaller } from '../../testing/panel-caller.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';
import { EXPORTS_AT_ONCE } from './create-export-sender.ts';
import { createDownloads, type DownloadRequest } from './downloads.ts';

/**
 * The handler behind a server that authenticates everybody as one account; the real one has tests
 * of its own.
 */
let trilho: TestService;
let server: Server;
let url: string;
let account: { accountId: string; apiKey: string };
let language: DownloadRequest['language'] = 'pt-BR';
let now = new Date('2026-11-20T15:00:00.000Z');
/** Of the account. */
const reader = { mode: 'test' as const, hasTestClock: false };

const TRAP = '=HYPERLINK("http://evil.example","click")';

beforeAll(async () => {
  trilho = await startTestService({ clock: () => now });
  account = await trilho.openAccount({ fees: [{ type: 'pix_in', fee: { bps: 100, fixedCentavos: 10n } }] });
  const downloads = createDownloads(trilho.deps);
  server = createServer((req, res) => {
    const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://server');
    const request = { ...reader, path: pathname.slice(1), query, accountId: account.accountId, language };
    downloads(req, res, request).catch((error) => res.writeHead(500).end(error.code));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await earn(100.5, 'Pedido 42; mesa "7"', 'Maria da Silva');
  now = new Date('2026-11-20T15:01:00.000Z');
  await earn(20, TRAP, 'José <b>&</b>');
  now = new Date('2026-11-21T15:00:00.000Z');
  await trilho.post('/payments/transfers/pix', account.apiKey, {
    amount: 30,
    pixKey: 'loja@example.com',
    pixKeyType: 'email',
    reference: 'nota-77',
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await trilho.stop();
});

async function earn(amount: number, description: string, customerName: string): Promise<void> {
  await makePaidCharge(trilho, account.apiKey, { amount, description, customerName });
}

async function get(path: string, query: Record<string, string>) {
  const response = await fetch(`${url}/${path}?${new URLSearchParams(query)}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

const PERIOD = { balance: 'available', from: '2026-11-20', to: '2026-11-21' };

describe('a statement as CSV', () => {
  it('has the entries of the page, oldest first, with the same balances', async () => {
    const panel = await panelCaller(trilho.deps, account.accountId);
    const page = await panel.statement.get({ ...PERIOD, balance: 'available' });
    const { text, headers } = await get('statement.csv', { ...PERIOD, format: 'iso' });
    const [head, ...rows] = readCsv(text, ',');
    const shown = page.entries.toReversed();
    expect(rows.map((row) => Object.fromEntries(row.map((cell, index) => [head?.[index], cell])))).toEqual(
      shown.map((entry) => ({
        number: entry.number,
        day: entry.day,
        at: entry.at,
        name: entry.name,
        amount: entry.amount.toFixed(2),
        balance_after: entry.balance_after.toFixed(2),
        fee: entry.fee?.toFixed(2) ?? '',
        customer_name: entry.transaction?.customer_name ?? '',
        description: entry.transaction?.description?.replace(/^=/, "'=") ?? '',
        transaction_id: entry.transaction?.id,
        destination: entry.transaction?.destination ?? '',
      })),
    );
    expect(shown).toHaveLength(Number(headers.get('x-total-rows')));
    const { body } = await trilho.get('/payments/balance', account.apiKey);
    expect(rows.at(-1)?.[5]).toBe(Number((body.data as { available_balance: number }).available_balance).toFixed(2));
    expect(page.summary).toMatchObject({ opening: 0, credits: 119.09, closing: Number(rows.at(-1)?.[5]) });
  });

  it('for Excel is in Portuguese, and no text that was typed is a formula there', async () => {
    const { text, bytes } = await get('statement.csv', PERIOD);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, first, second] = readCsv(text, ';');
    expect(head?.slice(1, 6)).toEqual(['Dia', 'Data e hora', 'Lançamento', 'Valor', 'Saldo']);
    expect(first?.slice(0, 9)).toEqual([
      ...['1', '20/11/2026', '20/11/2026 12:00', 'Recebimento PIX', '99,39', '99,39', '1,11'],
      ...['Maria da Silva', 'Pedido 42; mesa "7"'],
    ]);
    expect(second?.[8]).toBe(`'${TRAP}`);
  });

  it('is an attachment with a safe name, and is never cached', async () => {
    const { headers } = await get('statement.csv', PERIOD);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="extrato-disponivel-2026-11-20-a-2026-11-21-teste.csv"',
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toContain('text/csv');
  });

  it.each([
    [{ ...PERIOD, from: '2026-11-22' }],
    [{ ...PERIOD, from: '2026-02-30' }],
    [{ ...PERIOD, to: '2027-11-22' }],
    [{ ...PERIOD, balance: 'fees' }],
    [{ ...PERIOD, format: 'xls' }],
    [{ balance: 'available' }],
  ] as Record<string, string>[][])('rejects %j before anything is sent', async (query) => {
    const { status, text, headers } = await get('statement.csv', query ?? {});
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_input' });
    expect(headers.get('content-disposition')).toBeNull();
  });
});

describe('a statement as OFX', () => {
  it('adds up to its balance, on the days of the statement', async () => {
    const { text } = await get('statement.ofx', PERIOD);
    const all = (name: string) =>
      [...text.matchAll(new RegExp(`<${name}>(.*)</${name}>`, 'g'))].map(([, value]) => value);
    const amounts = all('TRNAMT').map(Number);
    expect(amounts.slice(0, 3)).toEqual([99.39, 19.7, -30]);
    const { body } = await trilho.get('/payments/balance', account.apiKey);
    const { available_balance } = body.data as { available_balance: number };
    expect(Number(all('BALAMT')[0])).toBe(available_balance);
    expect(amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0)).toBe(
      Math.round(available_balance * 100),
    );
    expect(all('DTPOSTED').map((at) => at?.slice(0, 8))).toEqual(['20261120', '20261120', '20261121']);
    expect(new Set(all('FITID')).size).toBe(3);
    expect(all('MEMO')[0]).toBe('Recebimento PIX - Pedido 42; mesa "7"');
    expect(all('MEMO')[2]).toMatch(/ - loja@example\.com - nota-77$/);
    // Whom a withdrawal goes to, as the page names them.
    expect(all('NAME')[2]).toBe('loja@example.com');
    expect(all('NAME')[1]).toBe('Jose &lt;b&gt;&amp;&lt;/b&gt;');
    expect(text).toMatch(/^[ -~\n]*$/);
  });

  it('has the balance of now by the test clock of its account', async () => {
    await trilho.deps.db.pool.query(
      "INSERT INTO test_clocks (account_id, ahead_ms, moved_at) VALUES ($1, extract(epoch FROM interval '40 days') * 1000, $2)",
      [account.accountId, now],
    );
    reader.hasTestClock = true;
    const { text } = await get('statement.ofx', { ...PERIOD, to: '2026-12-31' });
    expect(/<DTASOF>(\d{8})/.exec(text)?.[1]).toBe('20261231');
    reader.hasTestClock = false;
    expect((await get('statement.ofx', { ...PERIOD, to: '2026-12-31' })).text).toContain('<DTASOF>20261121');
  });

  it('gives an entry the same FITID in every file', async () => {
    const idsOf = async (query: typeof PERIOD) =>
      [...(await get('statement.ofx', query)).text.matchAll(/<FITID>(.*)<\/FITID>/g)].map(([, id]) => id);
    const whole = await idsOf(PERIOD);
    expect([
      ...(await idsOf({ ...PERIOD, to: '2026-11-20' })),
      ...(await idsOf({ ...PERIOD, from: '2026-11-21' })),
    ]).toEqual(whole);
    const blocked = await idsOf({ ...PERIOD, balance: 'blocked' });
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.filter((id) => whole.includes(id))).toEqual([]);
  });

  it('is in the reader’s language, as the files for Excel are, whose figures stay Brazilian', async () => {
    language = 'en';
    const [ofx, statement, transactions] = await Promise.all([
      get('statement.ofx', PERIOD),
      get('statement.csv', PERIOD),
      get('transactions.csv', { type: 'pix_out' }),
    ]);
    const programs = await get('transactions.csv', { type: 'pix_out', format: 'iso' });
    language = 'pt-BR';
    expect(ofx.text).toContain('<MEMO>PIX received - ');
    expect(statement.headers.get('content-disposition')).toBe(
      'attachment; filename="statement-available-2026-11-20-to-2026-11-21-test.csv"',
    );
    const [titles, first] = readCsv(statement.text, ';');
    expect(titles?.slice(0, 5)).toEqual(['Number', 'Day', 'Date and time', 'Entry', 'Amount']);
    expect(first?.slice(3, 5)).toEqual(['PIX received', '99,39']);
    const [head, row] = readCsv(transactions.text, ';');
    expect(head?.slice(0, 4)).toEqual(['Created at', 'Type', 'Status', 'Amount requested']);
    expect(row?.slice(0, 4)).toEqual(['21/11/2026 12:00', 'PIX withdrawal', expect.any(String), '-30,00']);
    expect(readCsv(programs.text, ',')[1]?.[1]).toBe('pix_out');
  });
});

describe('the transactions as CSV', () => {
  it('are those that the list finds by the same filter', async () => {
    const panel = await panelCaller(trilho.deps, account.accountId);
    const filters: Record<string, string>[] = [
      {},
      { type: 'pix_in' },
      { min_amount: '30', max_amount: '100.5' },
      { text: 'maria' },
      { status: 'expired' },
    ];
    for (const filter of filters) {
      const { data } = await panel.transactions.list(filter);
      const { text, headers } = await get('transactions.csv', { ...filter, format: 'iso', limit: '1', cursor: 'x' });
      const [head, ...rows] = readCsv(text, ',');
      const column = (name: string) => rows.map((row) => row[head?.indexOf(name) ?? -1]);
      expect(column('transaction_id')).toEqual(data.map(({ transaction_id }) => transaction_id));
      expect(column('gross')).toEqual(data.map(({ settled }) => settled.gross.toFixed(2)));
      expect(column('net')).toEqual(data.map(({ settled }) => settled.net.toFixed(2)));
      expect(column('status')).toEqual(data.map(({ status }) => status));
      expect(headers.get('x-total-rows')).toBe('text' in filter ? null : String(data.length));
    }
  });

  it('for Excel have the page’s words, and no formula', async () => {
    const [head, ...rows] = readCsv((await get('transactions.csv', { type: 'pix_in' })).text, ';');
    expect(head?.slice(0, 9)).toEqual([
      ...['Criada em', 'Tipo', 'Situação', 'Valor pedido'],
      ...['Valor', 'Taxa', 'Divisão', 'Estornado', 'Líquido'],
    ]);
    expect(rows.map((row) => row.slice(0, 9))).toEqual([
      ['20/11/2026 12:01', 'Cobrança PIX', 'paga', '20,00', '20,00', '0,30', '0,00', '0,00', '19,70'],
      ['20/11/2026 12:00', 'Cobrança PIX', 'paga', '100,50', '100,50', '1,11', '0,00', '0,00', '99,39'],
    ]);
    expect(rows[0]).toContain(`'${TRAP}`);
  });

  it('have the merchant’s reference and metadata, and hold no formula of theirs', async () => {
    const fields = { reference: TRAP, metadata: { loja: 'Centro', obs: '=1+1' } };
    const id = transactionIdOf(await trilho.post('/payments/transactions', account.apiKey, { amount: 7, ...fields }));
    await trilho.post(`/payments/transactions/${id}/cancel`, account.apiKey, {});
    const query = { min_amount: '7', max_amount: '7' };
    const [names = [], values = []] = readCsv((await get('transactions.csv', { ...query, format: 'iso' })).text, ',');
    const row = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    expect(JSON.parse(row.metadata ?? '')).toEqual(fields.metadata);
    expect(row.reference).toContain(TRAP);
    const [, shown = []] = readCsv((await get('transactions.csv', query)).text, ';');
    expect(shown.filter((cell) => /^[=+@]/.test(cell))).toEqual([]);
    expect(shown.some((cell) => cell.includes(TRAP))).toBe(true);
  });

  it('reject a filter that the list rejects', async () => {
    expect((await get('transactions.csv', { min_amount: 'a lot' })).status).toBe(400);
  });
});

describe('the proof of the entries', () => {
  it('is a file that verifies, of the day before, and of the mode that it is asked in', async () => {
    // The service itself seals every ten seconds: of this account there may be a proof by now.
    const mine = account;
    account = await trilho.openAccount();
    expect(await get('proof.json', {})).toMatchObject({ status: 500, text: 'route_not_found' });
    account = mine;
    const tomorrow = new Date('2026-11-22T15:00:00.000Z');
    await sealFully({ ...trilho.deps, clock: () => tomorrow });
    const { text, headers } = await get('proof.json', { day: '2026-11-21' });
    expect(headers.get('content-disposition')).toBe('attachment; filename="prova-2026-11-21-teste.json"');
    const { issue, entries } = await verifyProof(JSON.parse(text));
    expect([issue, String(entries)]).toEqual([null, headers.get('x-total-rows')]);
    expect((await get('proof.json', { day: 'today' })).status).toBe(400);

    const panel = await panelCaller(trilho.deps, account.accountId);
    const { head } = await panel.proof.get();
    expect(await panel.proof.get()).toMatchObject({ entries, head: { day: '2026-11-21' } });
    expect(JSON.parse(text).publicKey).toBe(head?.public_key);
  });
});

describe('downloads', () => {
  it('never contain another account’s rows', async () => {
    const mine = account;
    account = await trilho.openAccount();
    const files = await Promise.all([
      get('transactions.csv', {}),
      get('statement.csv', PERIOD),
      get('statement.ofx', PERIOD),
    ]);
    account = mine;
    for (const { text } of files) expect(text).not.toMatch(/Maria|Pedido|99[.,]39/);
    expect(files.map(({ headers }) => headers.get('x-total-rows'))).toEqual(['0', '0', '0']);
  });

  it('of another name do not exist', async () => {
    expect(await get('ledger.csv', {})).toMatchObject({ status: 500, text: 'route_not_found' });
  });

  it('wait for their reader: what is not taken is not read from the database', async () => {
    await fill(2_500);
    const read = { chunks: 0 };
    const deps = counting(trilho.deps, read);
    const res = new NobodyReads({} as IncomingMessage);
    const query = new URLSearchParams(PERIOD);
    void createDownloads(deps)({} as IncomingMessage, res, {
      ...reader,
      path: 'statement.csv',
      query,
      accountId: account.accountId,
      language,
    });
    await trilho.until('the first entries are read', async () => read.chunks > 0 || null);
    // Most machines read all of them in this time where nothing waits.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(res.getHeader('x-total-rows')).toBe(2_503);
    expect(read.chunks).toBeLessThan(4);
    res.destroy();
    const { text } = await get('statement.csv', PERIOD);
    expect(readCsv(text, ';')).toHaveLength(2_504);
  });

  it('are run a few at a time for one account', async () => {
    const downloads = createDownloads(trilho.deps);
    const query = new URLSearchParams(PERIOD);
    const ask = (accountId: string) => {
      const res = new NobodyReads({} as IncomingMessage);
      void downloads({} as IncomingMessage, res, { ...reader, path: 'statement.csv', query, accountId, language });
      return res;
    };
    const held = Array.from({ length: EXPORTS_AT_ONCE }, () => ask(account.accountId));
    expect(ask(account.accountId).statusCode).toBe(429);
    expect(ask((await trilho.openAccount()).accountId).statusCode).not.toBe(429);
    held[0]?.destroy();
    await trilho.until('there is room again', async () => (ask(account.accountId).statusCode === 429 ? null : true));
    for (const res of held) res.destroy();
  });

  it('whose reader hung up before they began are not logged as broken off', async () => {
    const before = trilho.log.length;
    const res = new NobodyReads({} as IncomingMessage);
    res.destroy();
    const request = { ...reader, query: new URLSearchParams(PERIOD), language };
    const asked = { ...request, path: 'statement.csv', accountId: (await trilho.openAccount()).accountId };
    await createDownloads(trilho.deps)({} as IncomingMessage, res, asked);
    expect(trilho.log.slice(before).join('')).not.toContain('A download broke off.');
  });
});

/** A response that its client does not read. */
class NobodyReads extends ServerResponse {
  override write(): boolean {
    return false;
  }
}

const counting = (deps: Deps, read: { chunks: number }): Deps => {
  const pool = new Proxy(deps.db.pool, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property);
      return (...args: [{ name?: string }]) => {
        if (args[0].name?.startsWith('list-statement-rows')) read.chunks++;
        return Reflect.apply(target.query, target, args);
      };
    },
  });
  return { ...deps, db: { ...deps.db, pool } };
};

/** `count` paid charges of R$ 1,00 each, posted to the ledger. */
async function fill(count: number): Promise<void> {
  await trilho.deps.db.pool.query(
    `WITH charges AS (
        INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, created_at, paid_at, updated_at)
        SELECT gen_random_uuid(), $1, 'pix_in', 'paid', 100, 0, 100, 'sandbox', $3, $3, $3 FROM generate_series(1, $2::int) RETURNING id)
      SELECT count(*) FROM charges`,
    [account.accountId, count, now],
  );
  // Each in a transaction of its own, as in operation: one that changes a row thousands of times
  // gets slower and slower.
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    `SELECT id FROM transactions WHERE account_id = $1 AND type = 'pix_in' AND status = 'paid' AND NOT ledger_is_posted(id, 'charge_paid')`,
    [account.accountId],
  );
  expect(rows).toHaveLength(count);
  // Only the owner of the database may post without a change of status.
  const owner = createPool(trilho.ownerUrl, { max: 1 });
  for (const { id } of rows) await post(owner, 'charge_paid', id, now);
  await owner.end();
}
