import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test as base } from '@playwright/test';
import type { ReconciledDays } from '../src/testing/put-reconciled-days.ts';
import type { OperatorAnswer, OperatorAsk } from './operator-process.ts';
import type { UnmatchedMoney } from './put-unmatched-money.ts';

/**
 * What the flows use: a merchant with an API key, the payer's bank (the sandbox), and a server that
 * receives webhooks.
 */

type Charge = { id: string; brCode: string };
type Invoice = { id: string; wallet: string; pageUrl: string };
type ReceivedWebhook = { headers: Record<string, string>; body: string };

type Merchant = {
  apiKey: string;
  accountId: string;
  /** Verifies the webhooks (`whsec_…`). */
  secretKey: string;
  createCharge(input: { amount: number; description?: string; callbackUrl?: string }): Promise<Charge>;
  createInvoice(input: { amount: number; currency?: string }): Promise<Invoice>;
  /** GET with the merchant's key; the `data` of the answer. */
  get(path: string): Promise<Record<string, unknown>>;
  /** POST with the merchant's key; status and body of the answer. */
  post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>;
};

type Fixtures = {
  merchant: Merchant;
  /**
   * Pays a charge as a payer's bank does, or an invoice as a wallet does. `amount` is in reais,
   * `share` is a part of the invoice (`0.25`); an `unconfirmed` payment waits for
   * `networkConfirms`.
   */
  payerPays(
    payable: { id: string },
    options?: { amount?: string; share?: string; unconfirmed?: boolean },
  ): Promise<void>;
  networkConfirms(invoice: { id: string }): Promise<void>;
  /** Makes the charge expire now. */
  timeRunsOut(charge: Charge): Promise<void>;
  receiver: { url: string; received: ReceivedWebhook[] };
};

const CHECKOUT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Runs `npm run --silent trilho -- …` against the service under test; returns what it prints. */
export async function trilho(...args: string[]): Promise<string> {
  const env = { ...process.env, TRILHO_HOME: process.env.TRILHO_E2E_HOME };
  const { stdout } = await run('npm', ['run', '--silent', 'trilho', '--', ...args], { cwd: CHECKOUT, env });
  return stdout;
}

/**
 * Runs the same commands in one process that stays: for steps that a flow needs but does not test.
 */
export const operator = (...args: string[]): Promise<string> => ask({ args });

/** Puts in money without a charge; returns its end-to-end id. */
export const putUnmatched = (unmatched: UnmatchedMoney): Promise<string> => ask({ unmatched });

/** Puts in compared days of an account's own PSP, one of which differs. */
export const putReconciled = (reconciled: ReconciledDays): Promise<string> => ask({ reconciled });

/** Puts in a callback of a rail that is not configured, so that nothing can be read from it. */
export const putCallback = (rail: string): Promise<string> => ask({ callback: rail });

export const operatorJson = async (...args: string[]) =>
  JSON.parse(await operator(...args, '--json')) as Record<string, string>;

export const trilhoJson = async (...args: string[]) =>
  JSON.parse(await trilho(...args, '--json')) as Record<string, string>;

let merchants = 0;

let operatorProcess: ChildProcess | undefined;
let requests = 0;

function ask(request: OperatorAsk): Promise<string> {
  operatorProcess ??= fork(join(import.meta.dirname, 'operator-process.ts'), {
    cwd: CHECKOUT,
    execPath: join(CHECKOUT, 'node_modules/.bin/node'),
    execArgv: [],
    env: { ...process.env, TRILHO_HOME: process.env.TRILHO_E2E_HOME },
  });
  const child = operatorProcess;
  const id = ++requests;
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The operator’s process ended.'));
    const onMessage = (answer: OperatorAnswer) => {
      if (answer.id !== id) return;
      child.off('message', onMessage).off('exit', onExit);
      if (answer.error === undefined) resolve(answer.stdout);
      else reject(new Error(answer.error));
    };
    child.on('message', onMessage).on('exit', onExit);
    child.send({ ...request, id });
  });
}

export const test = base.extend<Fixtures>({
  merchant: async ({ request }, use, testInfo) => {
    const email = `merchant-${testInfo.workerIndex}-${Date.now()}-${++merchants}@example.com`;
    const account = await operatorJson(
      ...['account', 'create', '--name', 'Padaria São José', '--email', email, '--document', '12345678909'],
      ...['--kyc', 'approved', '--mode', 'test', '--currency', 'USDT_BSC', '--fee', 'pix_in=99bps+10'],
    );
    const apiKey = account.api_key ?? '';
    const headers = { 'x-api-key': apiKey };
    await use({
      apiKey,
      accountId: account.account_id ?? '',
      secretKey: account.secret_key ?? '',
      async createCharge(input) {
        const response = await request.post('/payments/transactions', { headers, data: input });
        const { data } = await response.json();
        return { id: data.transaction_id, brCode: data.payment_data.qr_code };
      },
      async createInvoice(input) {
        const response = await request.post('/payments/deposits/crypto', { headers, data: input });
        const { data } = await response.json();
        return { id: data.transaction_id, wallet: data.wallet_hash, pageUrl: data.invoice_url };
      },
      async post(path, data) {
        const response = await request.post(path, { headers, data });
        return { status: response.status(), body: await response.json() };
      },
      async get(path) {
        const response = await request.get(path, { headers });
        return (await response.json()).data;
      },
    });
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  payerPays: async ({}, use) => {
    await use(async ({ id }, { amount, share, unconfirmed } = {}) => {
      const options = [
        ...(amount ? ['--amount', amount] : []),
        ...(share ? ['--share', share] : []),
        ...(unconfirmed ? ['--unconfirmed'] : []),
      ];
      await operator('sandbox', 'pay', id, ...options);
    });
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  networkConfirms: async ({}, use) => {
    await use(async ({ id }) => {
      await operator('sandbox', 'confirm', id);
    });
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  timeRunsOut: async ({}, use) => {
    await use(async (charge) => {
      await ask({ expire: charge.id });
    });
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  receiver: async ({}, use) => {
    const received: ReceivedWebhook[] = [];
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      received.push({ headers: req.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      res.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received });
    await new Promise((resolve) => server.close(resolve));
  },
});

export { expect } from '@playwright/test';
