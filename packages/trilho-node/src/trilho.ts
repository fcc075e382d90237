import { DEFAULT_LIMITS, limitsFrom } from './limits.ts';
import type { AnswerInfo } from './request.ts';
import {
  AccountLimits,
  Accounts,
  Balances,
  Currencies,
  Payees,
  Quotes,
  Statements,
  TestClocks,
} from './resources/account.ts';
import { Disputes } from './resources/disputes.ts';
import { Events } from './resources/events.ts';
import { Charges, Deposits, Transactions, Withdrawals } from './resources/payments.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';
import { sleep } from './sleep.ts';
import { createTransport } from './transport.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** The options of a client. */
export type TrilhoOptions = {
  /** The address of the installation: `https://pay.example.com`, with or without `/api`. */
  baseUrl: string;
  /**
   * `tr_test_…` or `tr_live_…`. It stays on your server, and appears in no error and no log of this
   * library.
   */
  apiKey: string;
  /** How long one try may take, in milliseconds; 30,000 unless given. */
  timeoutMs?: number;
  /** How long a call may take with its retries, in milliseconds; 90,000 unless given. */
  totalTimeoutMs?: number;
  /** How often a failed try is repeated; 5 times unless given, 0 for never. */
  maxRetries?: number;
  /** Another fetch: with a proxy, say, or a certificate of your own. */
  fetch?: typeof globalThis.fetch;
  /**
   * Called for every success: for logs, and to see `warnings`. An error that it throws is ignored.
   */
  onAnswer?: (info: AnswerInfo) => void;
  /** Lets `baseUrl` be http to another machine, where the network between is your own. */
  allowPlainHttp?: boolean;
};

/** A client of one account of a Trilho installation. Make one and keep it. */
export class Trilho {
  readonly charges: Charges;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly transactions: Transactions;
  readonly disputes: Disputes;
  readonly payees: Payees;
  readonly balance: Balances;
  readonly limits: AccountLimits;
  readonly statement: Statements;
  readonly currencies: Currencies;
  readonly quote: Quotes;
  readonly accounts: Accounts;
  readonly testClock: TestClocks;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  /** `verify`, which the module exports as `verifyWebhook` too: it needs no client. */
  readonly webhooks: { readonly verify: typeof verifyWebhook } = { verify: verifyWebhook };

  /** Throws TypeError for an invalid address or key, RangeError for an invalid limit. */
  constructor(options: TrilhoOptions) {
    const transport = createTransport({
      baseUrl: checkedBaseUrl(options),
      apiKey: checkedApiKey(options.apiKey),
      limits: limitsFrom(DEFAULT_LIMITS, options),
      // Looked up at each call, so that what replaces the global one later is used.
      fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
      onAnswer: options.onAnswer,
      sleep,
      random: Math.random,
      // The time of the day, which never goes back.
      nowMs: () => performance.timeOrigin + performance.now(),
    });
    this.transactions = new Transactions(transport);
    this.charges = new Charges(transport, this.transactions);
    this.deposits = new Deposits(transport, this.transactions);
    this.withdrawals = new Withdrawals(transport, this.transactions);
    this.disputes = new Disputes(transport);
    this.payees = new Payees(transport);
    this.balance = new Balances(transport);
    this.limits = new AccountLimits(transport);
    this.statement = new Statements(transport);
    this.currencies = new Currencies(transport);
    this.quote = new Quotes(transport);
    this.accounts = new Accounts(transport);
    this.testClock = new TestClocks(transport);
    this.events = new Events(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
  }
}

/** The key is sent over TLS only, or stays on the machine. */
function checkedBaseUrl({ baseUrl, allowPlainHttp = false }: TrilhoOptions): string {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl is the address of the installation: https://…');
  const { protocol, hostname, origin, pathname, username, password } = new URL(baseUrl);
  if (/[?#]/.test(baseUrl) || username !== '' || password !== '')
    throw new TypeError('baseUrl is an address without ?, # and @.');
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && (isLocal || allowPlainHttp)))
    // Not the text itself: a blank at its end, which URL ignores, would be amid each request's.
    return `${origin}${pathname}`.replace(/\/+$/, '');
  throw new TypeError('baseUrl is https://…; allowPlainHttp lets it be http to another machine.');
}

function checkedApiKey(apiKey: string): string {
  if (typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey is the account’s key: tr_test_… or tr_live_….');
}
