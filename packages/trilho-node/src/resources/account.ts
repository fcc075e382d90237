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

/** The account of the API key, and accounts that it opens. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The account of the key: fees, webhooks, and what it may do. */
  async get(options?: RequestOptions): Promise<Account> {
    return (await this.#transport.request('GET /account', {}, options)).data;
  }

  /**
   * Opens an account for somebody else, where the key may. `api_key` and `secret_key` come with the
   * first answer only: a repetition has null in their place.
   */
  async create(params: CreateAccountParams, options?: PostOptions): Promise<CreatedAccount> {
    return (await this.#transport.request('POST /accounts', { body: params }, options)).data;
  }
}

/** What the account has. */
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

/** What the account may move. */
export class AccountLimits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The limits in reais, null for none, and how much of them is used today. */
  async get(options?: RequestOptions): Promise<Limits> {
    return (await this.#transport.request('GET /payments/limits', {}, options)).data;
  }
}

/** What moved a balance. */
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

  /** To whom the account sends, and from when on. */
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

  /** What time it is for the account, and up to when its clock is being moved (`target`). */
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
