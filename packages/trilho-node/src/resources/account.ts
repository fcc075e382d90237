import { Pages } from '../pages.ts';
import type { PostOptions, RequestOptions } from '../request.ts';
import type { Transport } from '../transport.ts';
import type {
  Account,
  Balance,
  CreateAccountParams,
  CreatedAccount,
  Currency,
  Limits,
  Payee,
  Quote,
  QuoteParams,
  StatementEntry,
  StatementPage,
  StatementParams,
  TestClock,
} from '../types.ts';

/** The account of the API key, and accounts that the key opens. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the account of the key: fees, webhooks, and what it may do. */
  async get(options?: RequestOptions): Promise<Account> {
    return (await this.#transport.request('GET /account', {}, options)).data;
  }

  /**
   * Opens an account for somebody else, where the key may. Only the first answer has `api_key` and
   * `secret_key`: they are null in that of a repeated request.
   */
  async create(params: CreateAccountParams, options?: PostOptions): Promise<CreatedAccount> {
    return (await this.#transport.request('POST /accounts', { body: params }, options)).data;
  }
}

/** The account's balances. */
export class Balances {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Available, pending, blocked and owed, in reais. 403 `kyc_not_approved`. */
  async get(options?: RequestOptions): Promise<Balance> {
    return (await this.#transport.request('GET /payments/balance', {}, options)).data;
  }
}

/** The account's limits. */
export class AccountLimits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the limits in reais, null for none, and how much of them is used today. */
  async get(options?: RequestOptions): Promise<Limits> {
    return (await this.#transport.request('GET /payments/limits', {}, options)).data;
  }
}

/** The entries of a balance. */
export class Statements {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The entries from one day to another: `for await` gives all of them. The balances of the days
   * are in `answer.data.summary` of each page.
   */
  list(params: StatementParams, options?: RequestOptions): Pages<StatementEntry, StatementPage> {
    return new Pages(async (cursor) => {
      const query = { ...params, ...(cursor !== undefined && { cursor }) };
      const answer = await this.#transport.request('GET /payments/statement', { query }, options);
      return { items: answer.data.entries, nextCursor: answer.next_cursor, answer };
    }, params.cursor);
  }
}

/** The address book, which is changed in the panel. */
export class Payees {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the payees, and from when on each can be paid. */
  async list(options?: RequestOptions): Promise<Payee[]> {
    return (await this.#transport.request('GET /payments/payees', {}, options)).data;
  }
}

/** Cryptocurrencies that can be used now. */
export class Currencies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, with the smallest deposit of each. */
  async list(options?: RequestOptions): Promise<Currency[]> {
    return (await this.#transport.request('GET /payments/currencies', {}, options)).data;
  }
}

/** Prices. */
export class Quotes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The price of one unit in reais, and with `amount` what would come of it. */
  async get(params: QuoteParams = {}, options?: RequestOptions): Promise<Quote> {
    return (await this.#transport.request('GET /payments/quote', { query: params }, options)).data;
  }
}

/** The time of a test account. */
export class TestClocks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the account's time, and `target`, to which its clock is being moved. */
  async get(options?: RequestOptions): Promise<TestClock> {
    return (await this.#transport.request('GET /test-clock', {}, options)).data;
  }

  /**
   * Moves the clock forward by `90s`, `15m`, `12h` or `30d`; it has arrived once `target` of get()
   * is null. 409 `live_account_clock`, `clock_moving`.
   */
  async advance(by: string, options?: PostOptions): Promise<TestClock> {
    return (await this.#transport.request('POST /test-clock/advance', { body: { by } }, options)).data;
  }
}
