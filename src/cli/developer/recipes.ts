import type { ApiClient } from './api-client.ts';
import { cryptoAmount } from './crypto-amount.ts';

/** Waits until a transaction has a status. */
type Until = (transactionId: string, status: string) => Promise<void>;

/**
 * How to cause an event with the API alone; `run` returns the id of the transaction that it is
 * about.
 */
type Recipe = { about: string; run: (api: ApiClient, until: Until) => Promise<string> };

type Made = { data: { transaction_id: string } };

/** Within the limits that a new account has: DEFAULT_LIMITS. */
const REAIS = 60;
const PAYEE = { pixKey: 'recebedor@example.com', pixKeyType: 'EMAIL' };
const WALLET = { wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', currency: 'USDT_BSC' } as const;

/** An amount whose cents choose the outcome in the sandbox (docs/sandbox.md). */
const withCents = (cents: number, reais = REAIS): number => reais + cents / 100;

async function charge(api: ApiClient, amount: number): Promise<string> {
  const { data } = await api.post<Made>('/payments/transactions', { amount, description: 'trilho trigger' });
  return data.transaction_id;
}

async function paidCharge(api: ApiClient, until: Until, reais?: number): Promise<string> {
  const id = await charge(api, withCents(1, reais));
  await until(id, 'paid');
  return id;
}

/** Puts money on the account where it has too little for a withdrawal. */
async function fund(api: ApiClient, until: Until): Promise<void> {
  const { data } = await api.get<{ data: { available_balance: number } }>('/payments/balance');
  if (data.available_balance < 2 * REAIS) await paidCharge(api, until, 10 * REAIS);
}

const invoice = (cents: number) => async (api: ApiClient) => {
  const { currency } = WALLET;
  const asked = { amount: await cryptoAmount(api, { side: 'deposit', currency, reais: REAIS, cents }), currency };
  return (await api.post<Made>('/payments/deposits/crypto', asked)).data.transaction_id;
};

const payout = (cents: number) => async (api: ApiClient, until: Until) => {
  await fund(api, until);
  const asked = { amount: withCents(cents), ...PAYEE };
  return (await api.post<Made>('/payments/transfers/pix', asked)).data.transaction_id;
};

const cryptoPayout = (cents: number) => async (api: ApiClient, until: Until) => {
  await fund(api, until);
  const { currency } = WALLET;
  const amount = await cryptoAmount(api, { side: 'withdrawal', currency, reais: REAIS, cents });
  return (await api.post<Made>('/payments/transfers/crypto', { amount, ...WALLET })).data.transaction_id;
};

/** Every event that a command can make happen on a test account, in some seconds. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'pix_in.paid': { about: 'a charge is paid', run: (api) => charge(api, withCents(1)) },
  'pix_in.cancelled': {
    about: 'a charge is cancelled',
    async run(api) {
      const id = await charge(api, REAIS);
      await api.post(`/payments/transactions/${id}/cancel`, {});
      return id;
    },
  },
  'pix_in.refunded': {
    about: 'a third of a paid charge is given back',
    async run(api, until) {
      const id = await paidCharge(api, until);
      await api.post(`/payments/transactions/${id}/refund`, { amount: REAIS / 3 });
      return id;
    },
  },
  'pix_out.paid': { about: 'a PIX withdrawal is done', run: payout(11) },
  'pix_out.failed': { about: 'a PIX withdrawal is rejected, and its money comes back', run: payout(13) },
  'crypto_in.completed': { about: 'a crypto deposit is confirmed', run: invoice(21) },
  'crypto_in.underpaid': { about: 'a crypto deposit is paid in half', run: invoice(22) },
  'crypto_in.overpaid': { about: 'a crypto deposit is paid with too much', run: invoice(23) },
  'crypto_out.completed': { about: 'a crypto withdrawal is done', run: cryptoPayout(31) },
  'crypto_out.failed': { about: 'a crypto withdrawal is rejected, and its money comes back', run: cryptoPayout(32) },
};
