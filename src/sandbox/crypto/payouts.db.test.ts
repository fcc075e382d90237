import { describe, expect, test } from 'vitest';
import { setUpProcessor } from './testing/processor.ts';

const plisio = setUpProcessor();
const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const PAYOUT = { currency: 'USDT_TRX' as const, units: 189_074_000n, wallet: WALLET, memo: null };
const WIRE = {
  psys_cid: 'USDT_TRX',
  currency: 'USDT_TRX',
  type: 'cash_out',
  to: WALLET,
  amount: '1.89074',
  feePlan: 'normal',
};

const executed = async () =>
  (await plisio.setup.pool.query('SELECT currency, units, wallet FROM sandbox.crypto_payouts ORDER BY id')).rows;
const alike = async (request = PAYOUT) => {
  const found = await plisio.rail.findPayoutsLike(request, plisio.setup.now());
  if (found.outcome !== 'done') throw new Error(found.reason);
  return found.value;
};

describe('a withdrawal', () => {
  test('is accepted as pending and completed a moment later; the receiver gets the amount, the fee comes on top', async () => {
    const sent = await plisio.rail.sendPayout(PAYOUT);
    expect(sent).toMatchObject({
      outcome: 'done',
      value: { ...withoutMemo(PAYOUT), status: 'processing', txHash: null },
    });
    const { providerId } = sent.outcome === 'done' ? sent.value : { providerId: '' };
    plisio.setup.advance(0.999);
    expect(await plisio.rail.findPayout(providerId)).toMatchObject({ value: { status: 'processing' } });
    plisio.setup.advance(0.001);
    expect(await plisio.rail.findPayout(providerId)).toMatchObject({
      value: { ...withoutMemo(PAYOUT), status: 'completed', txHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect((await plisio.ask(`/operations/${providerId}`)).body.data).toMatchObject({
      type: 'cash_out',
      amount: '1.89074000',
      sum: '2.89074000',
      fee: '1.00000000',
    });
    expect(await executed()).toEqual([{ currency: 'USDT_TRX', units: '189074000', wallet: WALLET }]);
  });

  test('is carried out once a request: two equal requests are two payouts', async () => {
    await plisio.rail.sendPayout(PAYOUT);
    await plisio.rail.sendPayout(PAYOUT);
    expect(await executed()).toHaveLength(2);
    expect(await alike()).toHaveLength(2);
  });

  test('is answered with 201 at the wire', async () => {
    expect((await plisio.ask('/operations/withdraw', WIRE)).status).toBe(201);
  });

  test.each<[Record<string, string>, number, string]>([
    [{ to: `${WALLET.slice(0, -1)}9` }, 422, '{"to":"Invalid address"}'],
    [{ to: '0x52908400098527886E0F7030069857D2E4169EE7' }, 422, '{"to":"Invalid address"}'],
    [{ amount: '1.8907407' }, 422, '{"amount":"Amount is invalid"}'],
    [{ amount: '0' }, 422, '{"amount":"Amount is invalid"}'],
    [{ psys_cid: 'XMR' }, 422, '{"currency":"Currency is not available"}'],
    [{ type: 'mass_cash_out' }, 422, '{"type":"Only cash_out is supported"}'],
    [{ to: '' }, 400, 'Missing required parameters: to'],
  ])('is rejected with %j', async (change, status, message) => {
    expect(await plisio.ask('/operations/withdraw', { ...WIRE, ...change })).toMatchObject({
      status,
      body: { data: { message } },
    });
    expect(await executed()).toEqual([]);
  });
});

describe('the switch crypto.payout', () => {
  test('at refused says so at once and carries nothing out', async () => {
    await plisio.set('crypto.payout', 'refused');
    expect(await plisio.rail.sendPayout(PAYOUT)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringContaining('Insufficient funds on balance'),
    });
    expect(await executed()).toEqual([]);
  });

  test('at silent_done says nothing and carries it out: the list has it', async () => {
    await plisio.set('crypto.payout', 'silent_done');
    expect((await plisio.rail.sendPayout(PAYOUT)).outcome).toBe('unknown');
    expect(await executed()).toHaveLength(1);
    expect(await alike()).toMatchObject([withoutMemo(PAYOUT)]);
    expect(await alike({ ...PAYOUT, units: 189_075_000n })).toEqual([]);
  });

  test('at silent_lost says nothing and never carries it out', async () => {
    await plisio.set('crypto.payout', 'silent_lost');
    expect((await plisio.rail.sendPayout(PAYOUT)).outcome).toBe('unknown');
    plisio.setup.advance(3600);
    expect(await executed()).toEqual([]);
    expect(await alike()).toEqual([]);
  });
});

describe('magic cents of the net amount win over the switch', () => {
  /** R$ 54.31, 54.32 … in USDT at R$ 5.40, rounded down to eight decimals. */
  const worth = (cents: bigint) => ((5_400n + cents) * 10n ** 8n) / 540n;

  test.each([
    [31n, 'silent_lost', 'done', 1],
    [32n, 'done', 'rejected', 0],
    [33n, 'done', 'unknown', 1],
    [34n, 'done', 'unknown', 0],
    [30n, 'refused', 'rejected', 0],
  ] as const)(
    'a payout of ,%s with the switch at %s is %s, and carried out %s times',
    async (cents, value, outcome, times) => {
      await plisio.set('crypto.payout', value);
      expect((await plisio.rail.sendPayout({ ...PAYOUT, units: worth(cents) })).outcome).toBe(outcome);
      expect(await executed()).toHaveLength(times);
    },
  );
});

describe('the list of operations', () => {
  test('is newest first, in pages, by type, by our code and by hash', async () => {
    for (const units of [200_000_000n, 300_000_000n, 400_000_000n]) {
      await plisio.rail.sendPayout({ ...PAYOUT, units });
      plisio.setup.advance(10);
    }
    const invoice = await plisio.invoice({ currency: 'USDT_BSC' });
    const { body: paid } = await plisio.pay(invoice.orderNumber);
    const list = async (params: Record<string, string>) => {
      const { operations, _meta } = (await plisio.ask('/operations', params)).body.data as unknown as {
        operations: { type: string; amount: string; id: string }[];
        _meta: object;
      };
      return { amounts: operations.map(({ amount }) => Number(amount)), meta: _meta };
    };
    const first = await list({ type: 'cash_out', currency: 'USDT_TRX', limit: '2', page: '1' });
    expect(first).toEqual({ amounts: [4, 3], meta: { totalCount: 3, pageCount: 2, currentPage: 1, perPage: 2 } });
    expect((await list({ type: 'cash_out', limit: '2', page: '2' })).amounts).toEqual([2]);
    expect(await list({ type: 'cash_out', limit: '2', page: '3' })).toMatchObject({
      amounts: [],
      meta: { totalCount: 3 },
    });
    expect((await list({})).amounts).toEqual([10, 4, 3, 2]);
    expect((await list({ currency: 'USDT_BSC' })).amounts).toEqual([10]);
    expect((await list({ search: String(paid.txHash) })).amounts).toEqual([10]);
    expect((await list({ search: invoice.orderNumber, type: 'invoice' })).amounts).toEqual([10]);
    expect((await list({ search: invoice.orderNumber, type: 'cash_out' })).meta).toMatchObject({
      totalCount: 0,
      pageCount: 0,
    });
    expect((await list({ search: 'nothing', limit: 'x', page: '-1' })).amounts).toEqual([]);
  });
});

const withoutMemo = ({ memo: _, ...rest }: typeof PAYOUT) => rest;
