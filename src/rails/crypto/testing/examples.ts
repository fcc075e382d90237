import type { Answer } from '../../pix/testing/scripted-psp.ts';
import type { CryptoInvoiceRequest, CryptoPayoutRequest } from '../../ports.ts';

/**
 * No secret: it is published with the signed body in Plisio/nodejs-api-client,
 * test/ResponseValidator.test.ts.
 */
export const API_KEY = '8LEfCIhEwSApKj02NM0jI-1urGthaqprSArbfzTAcvAIpMQu_jGTkXEyE3TE26Ip';
export const ORDER = '01936f2e-7c1a-7000-8000-000000000001';
export const INVOICE_ID = '6ab2a5a944c0a2412901e063';
export const PAYOUT_ID = '5edf873d9ed3a558712be543';
export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const TRON_WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
export const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

export const INVOICE_REQUEST: CryptoInvoiceRequest = {
  orderNumber: ORDER,
  currency: 'USDT_BSC',
  units: 189_074_074n,
  title: 'Depósito nº 7',
  expiresInSeconds: 3_601,
  callbackUrl: 'https://pay.example/callbacks/plisio/abc',
};

export const PAYOUT_REQUEST: CryptoPayoutRequest = {
  currency: 'USDT_TRX',
  units: 189_074_074n,
  wallet: TRON_WALLET,
  memo: null,
};

/**
 * `/invoices/new` with white-label (create-an-invoice documentation, InvoiceExtendedResponseDto).
 */
export const CREATED = {
  txn_id: INVOICE_ID,
  invoice_url: `https://plisio.net/invoice/${INVOICE_ID}`,
  invoice_total_sum: '1.89074074',
  amount: '1.89074074',
  pending_amount: '0.00000000',
  remaining_amount: '1.89074074',
  wallet_hash: WALLET,
  psys_cid: 'USDT_BSC',
  currency: 'USDT',
  expected_confirmations: '15',
  qr_code: 'data:image/png;base64,iVBORw0KGgo=',
  tx_id: [],
  tx_url: null,
  expire_utc: 1_795_190_400,
  params: { order_number: ORDER, order_name: 'Deposito', amount: '1.89074074' },
};

/**
 * `/operations/{id}` of an invoice with white-label (transaction-details documentation,
 * OperationDto).
 */
export const OPERATION = {
  user_id: 1,
  shop_id: '607fd35f4ee4a2b7a1000001',
  type: 'invoice',
  status: 'new',
  id: INVOICE_ID,
  tx_url: null as string | string[] | null,
  pending_sum: 0 as number | string,
  psys_cid: 'USDT_BSC',
  currency: 'USDT',
  fee: null,
  wallet_hash: WALLET,
  sendmany: [],
  params: { order_number: ORDER, amount: '1.89074074' },
  expire_at_utc: 1_795_190_400,
  created_at_utc: 1_795_186_800,
  amount: '0.00000000',
  sum: '1.89074074',
  tx_id: [] as string[],
  tx: [] as object[],
  confirmations: 0,
};

/** The fields of OPERATION that are left without white-label. */
export const BARE_OPERATION = {
  user_id: 1,
  shop_id: '1',
  type: 'invoice',
  status: 'pending',
  tx_url: null,
  id: INVOICE_ID,
};

export const PAYOUT = {
  type: 'cash_out',
  status: 'completed',
  psys_cid: 'USDT_TRX',
  currency: 'USDT',
  fee: '1.00000000',
  wallet_hash: TRON_WALLET,
  params: { fee: { plan: 'normal', value: '1.00000000' } },
  created_at_utc: 1_795_186_800,
  amount: '1.89074000',
  tx_url: 'https://tronscan.org/#/transaction/86b5ec4404d98b9bccaaa39630e01d49f6e5e76a97664bf18a4e0da800b9f949',
  id: PAYOUT_ID,
};

export const PAYOUT_CREATED_AT = new Date(1_795_186_800_000);

export const answer = (data: unknown, status = 200): Answer => ({ status, body: { status: 'success', data } });

export const list = (operations: object[], pageCount = 1): Answer =>
  answer({ operations, _links: {}, _meta: { totalCount: operations.length, pageCount, currentPage: 1, perPage: 50 } });

export const error = (status: number, message: string, code = 0): Answer => ({
  status,
  body: { status: 'error', data: { name: 'Unprocessable entity', message, code } },
});

export const NOT_FOUND = error(404, 'Operation not found');
export const NO_FUNDS = error(422, '{"balance":"Insufficient funds on balance"}', 116);
