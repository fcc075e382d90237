import { Pages } from '../pages.ts';
import type { PostOptions, RequestOptions } from '../request.ts';
import type { Transport } from '../transport.ts';
import type {
  Cancellation,
  Charge,
  CreateChargeParams,
  CreateCryptoDepositParams,
  CryptoDeposit,
  CryptoWithdrawal,
  CryptoWithdrawalParams,
  ListTransactionsParams,
  PixWithdrawal,
  PixWithdrawalParams,
  Refund,
  RefundParams,
  Transaction,
  TransactionItem,
  TransactionList,
  TransactionStatus,
  WithdrawalCancellation,
} from '../types.ts';

/** Transactions of every kind. Amounts are reais with at most two decimals: 150.75. */
export class Transactions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A list, newest first: `for await` gives all that match. */
  list(params: ListTransactionsParams = {}, options?: RequestOptions): Pages<TransactionItem, TransactionList> {
    return new Pages(async (cursor) => {
      const query = { ...params, ...(cursor !== undefined && { cursor }) };
      const answer = await this.#transport.request('GET /payments/transactions', { query }, options);
      return { items: answer.data, nextCursor: answer.next_cursor, answer };
    }, params.cursor);
  }

  /** One transaction with its history. 404 `transaction_not_found`. */
  async get(transactionId: string, options?: RequestOptions): Promise<Transaction> {
    const ids = [transactionId];
    return (await this.#transport.request('GET /payments/transactions/{transactionId}', { ids }, options)).data;
  }

  /** Returns the short status of a PIX transaction. 404 where the id belongs to the other type. */
  async status(
    transactionId: string,
    type: 'pix_in' | 'pix_out',
    options?: RequestOptions,
  ): Promise<TransactionStatus> {
    const input = { ids: [transactionId], query: { type } };
    return (await this.#transport.request('GET /payments/transactions/{transactionId}/status', input, options)).data;
  }

  /** Refunds a PIX payment: `amount` of it, or all that is left. 400 `not_refundable`. */
  async refund(transactionId: string, params: RefundParams = {}, options?: PostOptions): Promise<Refund> {
    const input = { ids: [transactionId], body: params };
    return (await this.#transport.request('POST /payments/transactions/{transactionId}/refund', input, options)).data;
  }

  /** Cancels a PIX charge that is not paid. 400 `not_cancellable`. */
  async cancel(transactionId: string, options?: PostOptions): Promise<Cancellation> {
    const ids = [transactionId];
    return (await this.#transport.request('POST /payments/transactions/{transactionId}/cancel', { ids }, options)).data;
  }
}

/** PIX charges. */
export class Charges {
  readonly #transport: Transport;
  readonly #transactions: Transactions;

  constructor(transport: Transport, transactions: Transactions) {
    this.#transport = transport;
    this.#transactions = transactions;
  }

  /**
   * Creates a charge: `payment_data.qr_code` is the payload for copy and paste, `payment_url` its
   * page.
   */
  async create(params: CreateChargeParams, options?: PostOptions): Promise<Charge> {
    return (await this.#transport.request('POST /payments/transactions', { body: params }, options)).data;
  }

  /** The charge with its history. 404 `transaction_not_found`. */
  get(transactionId: string, options?: RequestOptions): Promise<Transaction> {
    return this.#transactions.get(transactionId, options);
  }

  /** Cancels a charge that is not paid. 400 `not_cancellable`. */
  cancel(transactionId: string, options?: PostOptions): Promise<Cancellation> {
    return this.#transactions.cancel(transactionId, options);
  }

  /** Refunds a paid charge: `amount` of it, or all that is left. 400 `not_refundable`. */
  refund(transactionId: string, params: RefundParams = {}, options?: PostOptions): Promise<Refund> {
    return this.#transactions.refund(transactionId, params, options);
  }
}

/** Deposits in a cryptocurrency. */
export class Deposits {
  readonly #transport: Transport;
  readonly #transactions: Transactions;

  constructor(transport: Transport, transactions: Transactions) {
    this.#transport = transport;
    this.#transactions = transactions;
  }

  /** Creates an invoice: the payer goes to `invoice_url`, or pays to `wallet_hash`. */
  async crypto(params: CreateCryptoDepositParams, options?: PostOptions): Promise<CryptoDeposit> {
    return (await this.#transport.request('POST /payments/deposits/crypto', { body: params }, options)).data;
  }

  /** The deposit with its history. 404 `transaction_not_found`. */
  get(transactionId: string, options?: RequestOptions): Promise<Transaction> {
    return this.#transactions.get(transactionId, options);
  }
}

/** Money that leaves the account. */
export class Withdrawals {
  readonly #transport: Transport;
  readonly #transactions: Transactions;

  constructor(transport: Transport, transactions: Transactions) {
    this.#transport = transport;
    this.#transactions = transactions;
  }

  /** Sends exactly `amount` to a PIX key, now or on `scheduledFor`; the fee comes on top. */
  async pix(params: PixWithdrawalParams, options?: PostOptions): Promise<PixWithdrawal> {
    return (await this.#transport.request('POST /payments/transfers/pix', { body: params }, options)).data;
  }

  /** Sends crypto for `amount` reais to a wallet; the fee comes out of `amount`. */
  async crypto(params: CryptoWithdrawalParams, options?: PostOptions): Promise<CryptoWithdrawal> {
    return (await this.#transport.request('POST /payments/transfers/crypto', { body: params }, options)).data;
  }

  /** The withdrawal with its history. 404 `transaction_not_found`. */
  get(transactionId: string, options?: RequestOptions): Promise<Transaction> {
    return this.#transactions.get(transactionId, options);
  }

  /** Cancels a scheduled PIX withdrawal that has not begun. 400 `payout_started`. */
  async cancel(transactionId: string, options?: PostOptions): Promise<WithdrawalCancellation> {
    const name = 'POST /payments/transfers/pix/{transactionId}/cancel';
    return (await this.#transport.request(name, { ids: [transactionId] }, options)).data;
  }
}
