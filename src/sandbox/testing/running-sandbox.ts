/**
 * A sandbox behind a real HTTP server, with a database of its own, a clock that only tests move,
 * and a receiver of callbacks.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import type { SandboxOptions } from '../sandbox-options.ts';

/** For `vi.waitFor`: what the sandbox does by itself is there by then, on a slow machine too. */
export const SOON = { timeout: 60_000, interval: 20 };

const CONTROL_TOKEN = 'control-token-of-the-test';
/** The keys of two shops at the crypto processor. */
export const CRYPTO_KEY = 'crypto-key-of-the-test';
export const OTHER_CRYPTO_KEY = 'crypto-key-of-another-shop';

export const SHOP = {
  clientId: 'shop',
  clientSecret: 'shop:secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  document: '12345678000195',
};
export const BAKERY = {
  clientId: 'bakery',
  clientSecret: 'bakery-secret',
  pixKey: 'pix@padaria.example',
  document: '12ABC34501DE35',
};

export type SandboxSetup = {
  databaseUrl: string;
  pool: pg.Pool;
  /** Moves the one clock that every sandbox of this setup reads. */
  advance(seconds: number): void;
  now(): Date;
  /** Starts a sandbox on this setup's database, callbacks included. */
  startSandbox(options?: Partial<SandboxOptions>): Promise<RunningSandbox>;
  close(): Promise<void>;
};

export type RunningSandbox = {
  sandbox: Sandbox;
  url: string;
  logs: string[];
  /** Returns how many requests have arrived. */
  arrived(): number;
  /** Sends a request with SHOP's token by default; `body` is sent as JSON, a string as it is. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  token(client?: { clientId: string; clientSecret: string }): Promise<string>;
  stop(): Promise<void>;
};

type AskOptions = { token?: string; headers?: Record<string, string>; signal?: AbortSignal | undefined };
export type Answer = { status: number; headers: Headers; body: AnswerBody };
/** The fields of any answer that tests read one by one; the rest is compared as a whole. */
type AnswerBody = {
  access_token: string;
  scope: string;
  error: string;
  detail: string;
  title: string;
  correlationId: string;
  titular: { identificacao: object };
  violacoes: { razao: string; propriedade: string }[];
  calendario: { criacao: string; expiracao: number };
  location: string;
  pixCopiaECola: string;
  status: string;
  pix: { endToEndId: string }[];
  endToEndId: string;
  txid: string;
  valor: unknown;
  e2eId: string;
  rtrId: string;
  nome: string;
};

/**
 * Databases that no test uses: creating one takes longer than most tests of the sandbox, removing
 * its schema does not.
 */
const idle: TestDatabase[] = [];

export async function createSandboxSetup(): Promise<SandboxSetup> {
  const database = idle.pop() ?? (await createTestDatabase());
  const pool = new pg.Pool({ connectionString: database.ownerUrl });
  // The pool does not wait for its connections to close, and dropping the database cuts those that
  // are still open.
  pool.on('error', () => {});
  const running: RunningSandbox[] = [];
  let time = Date.parse('2026-11-20T12:00:00.000Z');

  return {
    databaseUrl: database.ownerUrl,
    pool,
    advance(seconds) {
      time += seconds * 1000;
      for (const { sandbox } of running) sandbox.wakeSteps();
    },
    now: () => new Date(time),
    async startSandbox(options) {
      const started = await startSandbox({ pool, clock: () => new Date(time), ...options });
      running.push(started);
      return started;
    },
    async close() {
      await Promise.all(running.map((each) => each.stop()));
      await pool.query('DROP SCHEMA IF EXISTS sandbox CASCADE');
      await pool.end();
      idle.push(database);
    },
  };
}

async function startSandbox(options: Partial<SandboxOptions> & Pick<SandboxOptions, 'pool' | 'clock'>) {
  const logs: string[] = [];
  const write = (fields: object, message: string) => {
    logs.push(`${message} ${JSON.stringify(fields)}`);
  };
  const sandbox = createSandbox({
    publicHost: 'psp.example:3000',
    clients: [SHOP, BAKERY],
    cryptoShops: [
      { name: 'shop', apiKeys: [CRYPTO_KEY] },
      { name: 'other', apiKeys: [OTHER_CRYPTO_KEY] },
    ],
    controlTokens: [CONTROL_TOKEN],
    merchantName: 'Padaria São José',
    merchantCity: 'São Paulo',
    log: { info: write, warn: write, error: write },
    ...options,
  });
  await sandbox.prepare();
  let arrived = 0;
  const server = await listen((req, res) => {
    arrived++;
    sandbox.handle(req, res, (req.url ?? '').replace(/^\/psp/, ''));
  });
  const url = `${urlOf(server)}/psp`;
  sandbox.start();

  let shopToken: string | undefined;
  const send = async (method: string, path: string, body: unknown, token: string, more: AskOptions = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more.headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      signal: more.signal ?? null,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const token = async (client = SHOP) => {
    const answer = await send('POST', '/oauth/token', 'grant_type=client_credentials', '', {
      headers: {
        authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    return String(answer.body.access_token);
  };
  let stopped = false;
  return {
    sandbox,
    url,
    logs,
    token,
    arrived: () => arrived,
    async ask(method: string, path: string, body?: unknown, more: AskOptions = {}) {
      shopToken ??= await token();
      return send(method, path, body, more.token ?? shopToken, more);
    },
    control: (method: string, path: string, body?: unknown) => send(method, `/control${path}`, body, CONTROL_TOKEN),
    async stop() {
      if (stopped) return;
      stopped = true;
      await sandbox.stop();
      await closeServer(server);
    },
  } satisfies RunningSandbox;
}

/**
 * Asks, and hangs up half a second after `acted` does not throw any more: of a caller who hangs up
 * before the sandbox has read the request nothing is done. Returns the answer's status.
 */
export async function statusOrSilence(
  ask: (signal: AbortSignal) => Promise<{ status: number }>,
  acted: () => unknown = () => {},
): Promise<number | 'silence'> {
  const caller = new AbortController();
  const status = ask(caller.signal).then(
    (answer) => answer.status,
    (error: unknown) => {
      if (!caller.signal.aborted) throw error;
      return 'silence' as const;
    },
  );
  await vi.waitFor(acted, SOON);
  const hangUp = setTimeout(() => caller.abort(), 500);
  return status.finally(() => clearTimeout(hangUp));
}

export type Receiver = {
  url: string;
  /** The raw bodies, in the order of their arrival. */
  bodies: string[];
  paths: string[];
  /** Sets the status of all further answers. */
  answerWith(status: number): void;
  close(): Promise<void>;
};

/** Receives callbacks, as the product would. */
export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const paths: string[] = [];
  let status = 200;
  const server = await listen(async (req, res) => {
    bodies.push(await textOf(req));
    paths.push(`${req.method} ${req.url}`);
    res.writeHead(status).end();
  });
  return {
    url: urlOf(server),
    bodies,
    paths,
    answerWith(next) {
      status = next;
    },
    close: () => closeServer(server),
  };
}

function listen(listener: RequestListener): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve(server));
  });
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
