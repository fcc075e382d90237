import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOTP } from '@better-auth/utils/otp';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { Role } from '../../src/domain/members/roles.ts';
import { chooseLanguage } from '../../src/domain/values/language.ts';
import type { Formats } from '../../src/panel/create-formats.ts';
import { formatsIn } from '../../src/panel/testing/formats-in.ts';
import { test as base, expect, operator, operatorJson } from '../fixtures.ts';
import { type Text, textsIn } from './texts.ts';

/**
 * What the panel's flows use: a member who has signed in, their mailbox, and their authenticator
 * app.
 */

type Mode = 'live' | 'test';

export type PanelMerchant = {
  email: string;
  password: string;
  name: string;
  /** The API key of their test account, with every permission; made by the operator. */
  apiKey: string;
  accountId: string;
  /** Opens a page of the panel in test mode, e.g. `/transacoes`, and waits for its heading. */
  open(path: string, mode?: Mode): Promise<void>;
  /** Makes a PIX charge over REST with their key. */
  createCharge(input: { amount: number; description?: string; callbackUrl?: string }): Promise<{ id: string }>;
  /** POST and GET over REST with their key; return status and body. */
  post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>;
  get(path: string): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Puts an amount, in reais, into their test account by a charge that is paid. */
  earns(amount: number): Promise<void>;
  /** Pays one of their charges, and waits until it is paid. */
  pays(id: string): Promise<void>;
  /**
   * Answers the dialog that asks for a second factor: with their password, or the next code of
   * their authenticator.
   */
  confirms(): Promise<void>;
  /** Sets an authenticator app up, as the page Segurança does it. */
  setsUpSecondFactor(): Promise<{ code(): Promise<string>; recoveryCodes: string[] }>;
  /**
   * Makes withdrawals above this amount, in reais, wait for a second person, on the page Limites.
   */
  asksForApprovalAbove(amount: number): Promise<void>;
};

/** Another person who signs in to the shop's business, in a browser of their own. */
type Colleague = {
  /** Signed in; no page of the panel is open in it yet. */
  page: Page;
  email: string;
  password: string;
  name: string;
  /** Answers the dialog that asks who they are with their password. */
  confirms(): Promise<void>;
};

type Fixtures = {
  /** A text of the catalogue in the browser's language, by what it says in Portuguese. */
  text: Text;
  /** Figures and times as the pages write them in the browser's language. */
  formats: Formats;
  /**
   * A verified merchant with a live and a test account, whose owner is signed in to the test's
   * browser.
   */
  shop: PanelMerchant;
  /** Has the operator invite a member to the shop's business, who accepts it. */
  colleague(role: Role): Promise<Colleague>;
  /** The operator's console, in a browser of its own, where a new operator has signed in. */
  operatorPage: Page;
  /** The newest message to an address, from the folder of an installation without a mail server. */
  mailbox: { newest(to: string): Promise<string>; link(to: string): Promise<string> };
};

const PASSWORD = 'uma frase que ninguém adivinha';
const COLLEAGUE = 'Bia Prado';
const COLLEAGUE_PASSWORD = 'outra frase que ninguém adivinha';
const STEP_MS = 30_000;
/** The worker writes a message within half a second; most flows begin with one. */
const MAIL_POLL_MS = 100;
let shops = 0;

/**
 * Waits until the code of a panel page runs: what is typed into the painted page before is lost.
 */
async function usable(page: Page): Promise<void> {
  if (/^\/(live\/|test\/|operator(?!\/entrar))/.test(new URL(page.url()).pathname)) {
    await page.locator('html[data-interactive]').waitFor({ state: 'attached' });
  }
}

/**
 * Makes a page wait for its code wherever a test opens an address; `context.on('page', …)` for
 * every page of a browser that a test makes by itself.
 */
export function waitUntilUsable(page: Page): void {
  const { goto, reload } = page;
  page.goto = async (...to) => {
    const answer = await goto.apply(page, to);
    if (answer?.ok()) await usable(page);
    return answer;
  };
  page.reload = async (...options) => {
    const answer = await reload.apply(page, options);
    if (answer?.ok()) await usable(page);
    return answer;
  };
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  mailbox: async ({}, use) => {
    const newest = async (to: string) => {
      let found = '';
      await expect
        .poll(
          () => {
            found = messages().findLast((text) => text.includes(`To: ${to}`)) ?? '';
            return found;
          },
          { intervals: [MAIL_POLL_MS] },
        )
        .not.toBe('');
      return found;
    };
    await use({ newest, link: async (to) => /https?:\/\/\S+/.exec(await newest(to))?.[0] ?? '' });
  },

  text: async ({ locale }, use) => {
    await use(textsIn(chooseLanguage(locale ?? null)));
  },

  formats: async ({ locale }, use) => {
    await use(formatsIn(chooseLanguage(locale ?? null)));
  },

  operatorPage: async ({ browser, text }, use, testInfo) => {
    const email = `operadora-${testInfo.workerIndex}-${Date.now()}-${++shops}@trilho.example`;
    const login = await operatorJson('operator', 'create', email, '--name', 'Ana');
    const context = await browser.newContext();
    context.on('page', waitUntilUsable);
    const theirs = await context.newPage();
    await theirs.goto('/operator');
    await expect(theirs).toHaveURL(/\/operator\/entrar$/);
    await untilSendable(theirs);
    await theirs.getByLabel(text('E-mail')).fill(email);
    await theirs.getByLabel(text('Senha'), { exact: true }).fill(login.password ?? '');
    const { code = '' } = await operatorJson('operator', 'code', email);
    await theirs.getByLabel(text('Código do aplicativo autenticador')).fill(code);
    await theirs.getByRole('button', { name: text('Entrar') }).click();
    await expect(theirs.getByRole('heading', { level: 1, name: text('Visão geral') })).toBeVisible();
    await use(theirs);
    await context.close();
  },

  context: async ({ context }, use) => {
    context.on('page', waitUntilUsable);
    await use(context);
  },

  colleague: async ({ browser, shop, mailbox, text, baseURL }, use, testInfo) => {
    const contexts: BrowserContext[] = [];
    await use(async (role) => {
      const email = `colega-${testInfo.workerIndex}-${Date.now()}-${++shops}@example.com`;
      await operator('member', 'invite', email, '--merchant', shop.accountId, '--role', role);
      const context = await browser.newContext();
      context.on('page', waitUntilUsable);
      contexts.push(context);
      const person = { name: COLLEAGUE, password: COLLEAGUE_PASSWORD };
      await acceptInvitation(context, { link: await mailbox.link(email), baseURL, ...person });
      const page = await context.newPage();
      const confirms = async () => {
        const dialog = page.getByRole('dialog', { name: text('Confirme que é você') });
        await givePassword(dialog, COLLEAGUE_PASSWORD, text);
      };
      return { page, email, ...person, confirms };
    });
    for (const context of contexts) await context.close();
  },

  shop: async ({ page, request, mailbox, payerPays, text, formats, baseURL }, use, testInfo) => {
    const email = `loja-${testInfo.workerIndex}-${Date.now()}-${++shops}@example.com`;
    const name = 'Café da Esquina';
    const account = await operatorJson(
      ...['account', 'create', '--name', name, '--email', email, '--document', '12345678909'],
      ...['--kyc', 'approved', '--mode', 'test', '--currency', 'USDT_BSC', '--fee', 'pix_in=100bps+10', '--invite'],
    );
    // The operator invites them: they choose a password, which signs them in to this browser.
    const link = await mailbox.link(email);
    await acceptInvitation(page.context(), { link, baseURL, name: 'Maria da Silva', password: PASSWORD });
    const apiKey = account.api_key ?? '';
    let codes: (() => Promise<string>) | null = null;

    const rest = async (method: 'get' | 'post', path: string, data?: object) => {
      const answer = await request[method](path, { headers: { 'x-api-key': apiKey }, ...(data && { data }) });
      return { status: answer.status(), body: (await answer.json()) as Record<string, unknown> };
    };
    const shop: PanelMerchant = {
      email,
      password: PASSWORD,
      name,
      apiKey,
      accountId: account.account_id ?? '',
      async open(path, mode = 'test') {
        await page.goto(`/${mode}${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      },
      post: (path, body) => rest('post', path, body),
      get: (path) => rest('get', path),
      async createCharge(input) {
        const { body } = await rest('post', '/payments/transactions', input);
        return { id: (body.data as { transaction_id: string }).transaction_id };
      },
      async earns(amount) {
        await shop.pays((await shop.createCharge({ amount })).id);
      },
      async pays(id) {
        await payerPays({ id });
        await expect
          .poll(async () => {
            const { body } = await rest('get', `/payments/transactions/${id}`);
            return (body.data as { status: string }).status;
          })
          .toBe('paid');
      },
      async confirms() {
        const dialog = page.getByRole('dialog', { name: text('Confirme que é você') });
        await expect(dialog).toBeVisible();
        if (codes) await typeCode(page, await codes());
        else await givePassword(dialog, PASSWORD, text);
        await expect(dialog).toBeHidden();
      },
      async setsUpSecondFactor() {
        await shop.open('/seguranca');
        await page.getByRole('button', { name: text('Configurar aplicativo') }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(text('Senha'), { exact: true }).fill(PASSWORD);
        await dialog.getByRole('button', { name: text('Continuar') }).click();
        const secret = await dialog.getByTestId('totp-secret').innerText();
        codes = authenticator(secret);
        await dialog.getByLabel(text('Código de 6 dígitos')).fill(await codes());
        await dialog.getByRole('button', { name: text('Ativar') }).click();
        const recoveryCodes = (await dialog.getByTestId('recovery-codes').innerText()).split(/\s+/);
        await dialog.getByRole('button', { name: text('Guardei os códigos') }).click();
        return { code: codes, recoveryCodes };
      },
      async asksForApprovalAbove(amount) {
        await shop.open('/limites');
        await expect(page.getByText(text('Nenhum saque espera aprovação.'))).toBeVisible();
        await page.getByRole('button', { name: text('Mudar'), exact: true }).click();
        await page.getByLabel(text('Valor', {}, 'panel.thresholds'), { exact: true }).fill(formats.typedReais(amount));
        await page.getByRole('button', { name: text('Salvar') }).click();
        await shop.confirms();
        const above = text('Acima de {amount} um saque espera uma segunda pessoa.', { amount: formats.reais(amount) });
        await expect(page.getByText(above, { exact: true })).toBeVisible();
      },
    };
    await use(shop);
  },
});

export { expect, operator } from '../fixtures.ts';

/**
 * Ends the session in this browser on a blank page, which does not notice: a page of the panel
 * would go to the sign-in by itself.
 */
export async function signOutAtOnce(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies({ name: 'trilho.session_token' });
}

/**
 * Waits until the form of a page without a session can be sent: before the page's scripts have
 * arrived neither Enter nor its button does anything.
 */
export const untilSendable = (page: Page): Promise<void> =>
  expect(page.locator('form button[type=submit]:not([hidden])').first()).toBeVisible();

/** Accepts an invitation in this browser, as its page does, which signs the person in. */
async function acceptInvitation(
  context: BrowserContext,
  { link, baseURL = '', ...person }: { link: string; baseURL: string | undefined; name: string; password: string },
): Promise<void> {
  const token = new URL(link).searchParams.get('token');
  const answer = await context.request.post('/api/auth/invitation/accept', {
    data: { token, ...person },
    headers: { origin: new URL(baseURL).origin },
  });
  expect(answer.status()).toBe(200);
}

async function givePassword(dialog: Locator, password: string, text: Text): Promise<void> {
  await dialog.getByLabel(text('Senha'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: text('Confirmar') }).click();
}

/**
 * An authenticator app that never shows the same code twice: it waits for the next one, as a person
 * does.
 */
function authenticator(secretBase32: string): () => Promise<string> {
  const otp = createOTP(fromBase32(secretBase32));
  let lastStep = 0;
  return async () => {
    let step = Math.floor(Date.now() / STEP_MS);
    // The service also accepts the code of the next step, because a phone's clock may be ahead: few
    // tests have to wait here.
    if (step <= lastStep) step = lastStep + 1;
    while (step > Math.floor(Date.now() / STEP_MS) + 1) await new Promise((resolve) => setTimeout(resolve, 500));
    lastStep = step;
    return otp.hotp(step);
  };
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('dialog').getByRole('textbox').first().focus();
  await page.keyboard.type(code);
}

/** Decodes Base32 (RFC 4648 section 6), as authenticator apps do with a secret that is typed in. */
function fromBase32(text: string): string {
  const bits = [...text.replace(/[\s=]/g, '')]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
}

/** Messages by the names of their files, oldest first; each file is read once. */
const written = new Map<string, string>();

function messages(): string[] {
  const folder = join(process.env.TRILHO_E2E_HOME ?? '', 'mail');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  return names.sort().map((name) => {
    const text = written.get(name) ?? readFileSync(join(folder, name), 'utf8');
    written.set(name, text);
    return text;
  });
}
