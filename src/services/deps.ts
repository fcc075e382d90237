import type { Database } from '#db/connection/database.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { Mailer } from '#rails/mail/mailer.ts';
import type { RailRegistry } from '#rails/registry.ts';
import type { SandboxControl } from '#rails/sandbox-control.ts';
import type { UrlChecker, WebhookSender } from '#rails/webhooks/sender.ts';
import type { LiveFeed } from './transactions/live-stream.ts';
import type { PaymentFeed } from './transactions/payment-stream.ts';

/**
 * What the log takes: fields first, then a sentence. Never a secret, a document or an e-mail among
 * the fields.
 */
export type Log = {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
};

/** What happened, for the metrics. */
export type Observation =
  | { kind: 'ledger_posting'; posting: string }
  | { kind: 'task'; task: string; outcome: 'done' | 'retry' | 'failed'; durationMs: number }
  | { kind: 'webhook_attempt'; outcome: string }
  | { kind: 'backup'; outcome: 'done' | 'failed' }
  | { kind: 'log_archived'; at: Date }
  | RecordDropped;

/** Rows that a log has lost. `unreadable`: the record could not be made into a row. */
export type RecordDropped = {
  kind: 'record_dropped';
  record: 'request' | 'provider_call' | 'audit';
  reason: 'queue_full' | 'unreadable' | 'database';
  count: number;
};

/** A client of the sandbox's PSP, and a key of its crypto processor. */
export type SandboxCredentials = { clientId: string; clientSecret: string; pixKey: string; cryptoKey: string };

/**
 * Everything a use case needs from outside itself. Time is an input: nothing else may read the
 * clock.
 */
export type Deps = {
  db: Database;
  clock: () => Date;
  /**
   * For how long, in ms as this process measures durations, `clock` has gone on without being set:
   * a time that lies back by the clock lies back by less where it was set since.
   */
  steadyForMs: () => number;
  /**
   * Set while something is done for an account with a test clock: `clock` is that account's then,
   * `rails` ask the sandbox by it, and `ownClock` and `ownRails` are the service's.
   */
  testClock?: { accountId: string; aheadMs: number; ownClock: () => Date; ownRails: RailRegistry };
  rails: RailRegistry;
  /** Null where no sandbox is set up. */
  sandbox: SandboxControl | null;
  secretBox: SecretBox;
  webhookSender: WebhookSender;
  urlChecker: UrlChecker;
  mailer: Mailer;
  settings: {
    /**
     * A demonstration: live accounts use the sandbox, test accounts' webhooks may go to http and
     * loopback.
     */
    demo: boolean;
    /** Live accounts need provider credentials of their own. */
    requireOwnCredentials: boolean;
    /** What the sandbox gives a live account as credentials of its own; null: no demonstration. */
    sandboxCredentials: ((accountId: string) => SandboxCredentials) | null;
    chargeExpirySeconds: number;
    invoiceExpirySeconds: number;
    /**
     * How many years the personal data of a payment are kept: src/domain/customers/retention.ts.
     */
    retentionYears: number;
    /** Where payers' browsers reach our pages. */
    publicUrl: string;
    /**
     * Where the demo merchant's own system takes webhooks: the sandbox's, behind this process's
     * port. Null: there is none.
     */
    shopUrl: string | null;
    /**
     * Where the built-in receiver takes the webhooks of a test account, from this machine; it is
     * not shown anywhere.
     */
    testReceiverUrl: (accountId: string) => string;
    /** Where a crypto processor calls back, for the rail of this name. */
    cryptoCallbackUrl: (rail: string) => string;
  };
  /**
   * Notifies that tasks were written: workers of every process poll at once instead of within a
   * second.
   */
  wakeWorkers: () => void;
  /** What changes, as it changes, for the pages that are open. */
  liveFeed: LiveFeed;
  paymentFeed: PaymentFeed;
  log: Log;
  observe: (observation: Observation) => void;
};

/**
 * Which webhook URLs an account may give: http and loopback only for test accounts of a demo, and
 * for its own shop.
 */
export const urlPolicy = (
  { settings }: { settings: { demo: boolean; shopUrl?: string | null } },
  mode: 'live' | 'test',
  url: string,
) => ({ allowHttpAndLoopback: settings.demo && (mode === 'test' || url === settings.shopUrl) });
