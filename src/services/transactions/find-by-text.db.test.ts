import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
let account: Awaited<ReturnType<TestService['openAccount']>>;
let panel: Awaited<ReturnType<typeof panelCaller>>;
let maria: string;
let withdrawal: string;
let others: string;

const MARIA = {
  amount: 1234.56,
  customerName: 'Maria da Silva',
  customerEmail: 'maria@example.com',
  customerDocument: '52998224725',
  customerDocumentType: 'cpf',
};

beforeAll(async () => {
  trilho = await startTestService();
  account = await trilho.openAccount();
  panel = await panelCaller(trilho.deps, account.accountId);
  const create = async (apiKey: string, body: object) =>
    ((await trilho.post('/payments/transactions', apiKey, body)).body.data as { transaction_id: string })
      .transaction_id;
  maria = await create(account.apiKey, MARIA);
  await trilho.pay(maria);
  await trilho.until('it is paid', async () => ((await endToEndId()) ? true : null));
  const sent = await panel.withdrawals.pix({ amount: 20, pixKey: '52998224725', pixKeyType: 'CPF' });
  withdrawal = sent.data.transaction_id;
  for (let n = 0; n < 10; n++) await create(account.apiKey, { amount: 7.5, description: `Café ${n}` });
  others = await create((await trilho.openAccount()).apiKey, MARIA);
});
afterAll(() => trilho.stop());

const find = async (text: string) => (await panel.search.find({ text })).data;
const idsOf = async (text: string) => (await find(text)).map(({ id }) => id);
const endToEndId = async () => (await panel.transactions.get({ transactionId: maria })).data.pix?.end_to_end_id ?? '';

describe('the search behind Ctrl-K', () => {
  it('finds a transaction by its id or txid: whole, its beginning, its end', async () => {
    expect((await idsOf(maria))[0]).toBe(maria);
    expect(await idsOf(maria.toUpperCase())).toEqual([maria]);
    expect(await idsOf(maria.replaceAll('-', ''))).toEqual([maria]);
    expect(await idsOf(maria.slice(0, 30))).toEqual([maria]);
    expect(await idsOf(maria.slice(-8))).toEqual([maria]);
    expect(await idsOf(`…${maria.slice(-6)}`)).toEqual([maria]);
    expect(await idsOf(maria.slice(-16))).toEqual([maria]);
  });

  it('finds a transaction by end-to-end id, e-mail, name and document', async () => {
    expect(await idsOf(await endToEndId())).toEqual([maria]);
    expect(await idsOf(' maria@example.com ')).toEqual([maria]);
    expect(await idsOf('da silva')).toEqual([maria]);
    expect(await idsOf('529.982.247-25')).toEqual([maria]);
    expect(await idsOf('52998224725')).toEqual([maria]);
  });

  it('finds a withdrawal by its wallet, in whichever case it is written, as the list does', async () => {
    const wallet = '0x52908400098527886e0f7030069857d2e4169ee7';
    const sent = await panel.withdrawals.crypto({ amount: 60, wallet, currency: 'USDT_BSC' });
    for (const text of [wallet, sent.data.wallet]) {
      expect(await idsOf(text)).toEqual([sent.data.transaction_id]);
      const { data } = await panel.transactions.list({ text });
      expect(data.map(({ transaction_id }) => transaction_id)).toEqual([sent.data.transaction_id]);
    }
  });

  it.each(['1234,56', 'R$ 1.234,56', '1.234,56', '1234.56'])('finds a transaction by its amount %s', async (text) => {
    expect(await idsOf(text)).toEqual([maria]);
  });

  it('gives each result as a line that identifies it', async () => {
    expect(await find(maria)).toEqual([
      {
        id: maria,
        type: 'pix_in',
        status: 'paid',
        amount: 1234.56,
        title: 'Maria da Silva',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(await find(withdrawal)).toMatchObject([{ type: 'pix_out', title: '***.982.247-**' }]);
  });

  it('gives eight at most, the newest first', async () => {
    const found = await find('7,50');
    expect(found).toHaveLength(8);
    expect(found[0]?.title).toBe('Café 9');
  });

  it('finds nothing of another account, whatever is typed', async () => {
    for (const text of [others, others.slice(-8), others.replaceAll('-', '')]) expect(await idsOf(text)).toEqual([]);
    expect(await idsOf('maria')).toEqual([maria]);
  });

  it.each(['', '   ', '%', '_', '€', "' OR 1=1 --", '0191'])(
    'takes %j as plain text, and finds nothing by it',
    async (text) => {
      expect(await find(text)).toEqual([]);
    },
  );
});
