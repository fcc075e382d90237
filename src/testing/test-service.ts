import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '#bootstrap/service.ts';
import { createClosing } from '#bootstrap/shutdown.ts';
import { readEnvironment } from '#config/environment.ts';
import { sandboxControlToken } from '#config/sandbox-account.ts';
import { withClient } from '#db/connection/with-client.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import { type OpenAccountInput, openAccount } from '#services/accounts/open-account.ts';
import type { Deps } from '#services/deps.ts';
import { PLAIN_ACCOUNT } from './plain-account.ts';

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/**
 * The real service (web, worker and sandbox, without pages) on a database of its own, for tests
 * that call it over HTTP.
 */
export type TestService = {
  url: string;
  /** The address of the metrics and the sandbox; the same as `url` in a demo. */
  operationsUrl: string;
  deps: Deps;
  databaseUrl: string;
  /** The URL for the owner of its database, who may do what the service itself may not. */
  ownerUrl: string;
  /** Runs statements as that owner. */
  asOwner(sql: string): Promise<void>;
  masterKeys: string;
  /** Its data folder. */
  home: string;
  /** Everything it has logged so far. */
  log: string[];
  /** An account of a new merchant: verified, in test mode, without fees, unless said otherwise. */
  openAccount(input?: Partial<OpenAccountInput>): ReturnType<typeof openAccount>;
  get(path: string, apiKey?: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, apiKey: string | undefined, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Pays a charge at the sandbox PSP. */
  pay(
    transactionId: string,
    options?: { amount?: string; share?: string; unconfirmed?: boolean; force?: boolean },
  ): Promise<Record<string, unknown>>;
  /** Lets the network confirm a crypto payment that was made `unconfirmed`. */
  confirm(transactionId: string): Promise<Record<string, unknown>>;
  setSwitch(name: string, value: string): Promise<void>;
  /**
   * Waits until `look` returns something other than null or undefined. Throws after `withinMs`, a
   * minute unless given.
   */
  until<T>(what: string, look: () => Promise<T | null | undefined>, withinMs?: number): Promise<T>;
  stop(): Promise<void>;
};

/** How long `until` waits: far above what anything here takes on a slow machine. */
const UNTIL_MS = 60_000;

export type TestServiceOptions = {
  clock?: () => Date;
  variables?: Record<string, string>;
  /**
   * Starts another process of the same installation, on the same database and with the same keys;
   * stop it before that one.
   */
  beside?: Pick<TestService, 'databaseUrl' | 'ownerUrl' | 'masterKeys'>;
  /** Worker and sandbox get processes of their own, as `npm start` has them. */
  ownProcesses?: boolean;
  /** Whether it serves the panel's pages; they have to be built. */
  pages?: 'none' | 'built';
  /** Makes its database, where vitest's own run does not. */
  createDatabase?: () => Promise<TestDatabase>;
};

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { beside, createDatabase = createTestDatabase } = options;
  const database = beside
    ? { url: beside.databaseUrl, ownerUrl: beside.ownerUrl, drop: async () => {} }
    : await createDatabase();
  const home = mkdtempSync(join(tmpdir(), 'trilho-home-'));
  const masterKeys = beside?.masterKeys ?? generateMasterKeys();
  const log: string[] = [];
  const closing = createClosing();
  const env = readEnvironment({
    PORT: '0',
    TRILHO_HOME: home,
    // As the role that serves alone: the template has the migrations and the role's privileges,
    // which a start with the owner's address grants again.
    DATABASE_URL: database.url,
    DEMO: 'true',
    MASTER_KEYS: masterKeys,
    LOG_LEVEL: 'trace',
    // All visitors of a test file come from one address; tests of the limit set one of their own.
    RATE_LIMIT_ANONYMOUS: '10000000',
    // Tests set the limits that they are about.
    DEFAULT_LIMITS: 'none',
    ...options.variables,
  });
  const service = await startService(env, closing, {
    pages: options.pages ?? 'none',
    ownProcesses: options.ownProcesses ?? false,
    log: { write: (line) => void log.push(line) },
    ...(options.clock && { clock: options.clock }),
  });
  const url = `http://127.0.0.1:${service.port}`;
  const { deps } = service;
  let merchants = 0;

  const request = async (path: string, init: RequestInit, base = url): Promise<Answer> => {
    const response = await fetch(base + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) };
  };
  const control = async (method: string, path: string, body: object) => {
    const authorization = `Bearer ${sandboxControlToken(deps.secretBox)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await request(
      `/sandbox/control${path}`,
      { method, headers, body: JSON.stringify(body) },
      service.operationsUrl,
    );
    if (answer.status !== 200) throw new Error(`The sandbox answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };

  return {
    url,
    operationsUrl: service.operationsUrl,
    deps,
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    asOwner: (sql) => withClient(database.ownerUrl, async (owner) => void (await owner.query(sql))),
    masterKeys,
    home,
    log,
    openAccount: (input = {}) =>
      openAccount(deps, {
        ...PLAIN_ACCOUNT,
        name: 'Padaria São José',
        email: `merchant-${++merchants}@example.com`,
        ...input,
      }),
    get: (path, apiKey, headers = {}) =>
      request(path, { headers: { ...(apiKey && { 'x-api-key': apiKey }), ...headers } }),
    post: (path, apiKey, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { ...(apiKey && { 'x-api-key': apiKey }), 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    pay: (transactionId, extra = {}) => control('POST', '/pay', { txid: uuidToTxid(transactionId), ...extra }),
    confirm: (transactionId) => control('POST', '/confirm', { txid: uuidToTxid(transactionId) }),
    async setSwitch(name, value) {
      await control('PUT', '/switches', { name, value });
    },
    async until(what, look, withinMs = UNTIL_MS) {
      for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
        const found = await look();
        if (found !== null && found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`It did not happen in ${withinMs / 1000} s: ${what}`);
    },
    async stop() {
      await closing.now();
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
