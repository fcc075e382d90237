import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { connectAssistant } from '#server/mcp/testing/connect-assistant.ts';
import { createOperator } from '#services/operators/manage-operators.ts';
import { messagesOf } from '../../src/testing/mails.ts';
import { operatorBrowser } from '../../src/testing/operator-browser.ts';
import { linkIn, mailTo, openBrowser, PASSWORD, setUpAuthenticator, tokenIn } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena, Subject } from '../subject.ts';
import { openTenant, type Tenant } from '../tenants.ts';

/** A text to look for, and what it is. */
type Canary = { what: string; text: string };
type Plant = (what: string, text: string | undefined) => void;

/** What mails are there to carry. */
const LINKS = ['the token of a link', 'the token of an invitation'];

/**
 * Secrets are only with their owner: not in the log at its most detailed level, not in a dump of
 * the database, not in mail.
 */
export const secrets: Subject = {
  name: 'secrets',
  async run(arena) {
    const service = await arena.start({ variables: { DEMO: 'true', LOG_LEVEL: 'trace' } });
    const tenant = await openTenant(arena, service, 'segredos');
    const canaries = await plantSecrets(service, tenant);
    look(arena, 'the log', canaries, service.log);
    look(arena, 'a dump of the database', canaries, await dump(service));
    // The mail carries the link on purpose.
    look(
      arena,
      'mails',
      canaries.filter(({ what }) => !LINKS.includes(what)),
      messagesOf(service),
    );
  },
};

async function plantSecrets(service: TestService, tenant: Tenant): Promise<Canary[]> {
  const { browser } = tenant;
  const canaries: Canary[] = [{ what: 'a password', text: PASSWORD }];
  const plant = (what: string, text: string | undefined) => {
    if (!text) throw new Error(`There is nothing to look for: ${what}.`);
    canaries.push({ what, text });
  };
  for (const part of service.masterKeys.split(',')) plant('a master key', part.split(':')[1]);
  const token = [...browser.cookies].find(([name]) => name.endsWith('session_token'))?.[1];
  plant("a session's token", decodeURIComponent(token ?? '').split('.')[0]);

  const key = { 'idempotency-key': 'segredo-1' };
  const apiKey = await tenant.newKey('test');
  plant('an API key', apiKey);
  await browser.call('session.confirm', { password: PASSWORD });
  const made = await browser.call(
    'keys.create',
    { name: 'painel', permissions: ['balance:read'], allowed_ips: [], expires_at: null },
    'test',
    key,
  );
  plant('an API key made in the panel', (made.data as { api_key?: string } | undefined)?.api_key);
  const revealed = await browser.call('webhooks.revealSecret', {}, 'test', { 'idempotency-key': 'segredo-2' });
  plant("a webhook's secret", (revealed.data as { secret?: string } | undefined)?.secret);

  await service.deps.db.pool.query('UPDATE merchants SET can_create_accounts = true WHERE id = $1', [
    tenant.merchantId,
  ]);
  const keyOfAll = await tenant.newKey('live');
  const opened = await service.post(
    '/accounts',
    keyOfAll,
    { name: 'Cliente', email: 'cliente-segredos@example.com', document: '52998224725', documentType: 'cpf' },
    key,
  );
  const account = opened.body.data as { api_key?: string; secret_key?: string } | undefined;
  plant("another account's API key, in an answer kept for its Idempotency-Key", account?.api_key);
  plant("another account's webhook secret, in the same answer", account?.secret_key);

  await plantKeysOfSystems(service, tenant, plant);
  await plantProviderSecrets(service, tenant, plant);
  await plantNumbers(service, tenant, plant);
  await plantOperatorSecrets(service, plant);

  const { code, secret, backupCodes } = await setUpAuthenticator(browser);
  plant("an authenticator's seed", secret);
  for (const code of backupCodes.slice(0, 3)) plant('a recovery code', code);
  await openBrowser(service).post('/api/auth/request-password-reset', { email: tenant.email });
  const mail = await service.until('the link', async () =>
    (await mailTo(service, tenant.email)).find((text) => text.includes('token=')),
  );
  plant('the token of a link', new URL(linkIn(mail), service.url).searchParams.get('token') ?? undefined);
  const invited = 'convidada-segredos@example.com';
  await browser.call('session.confirm', { code: await code(1) });
  await browser.call('people.invite', { email: invited, role: 'viewer' });
  plant('the token of an invitation', tokenIn((await mailTo(service, invited)).at(-1)));
  // Requests that carry them where they don't belong.
  for (const { text } of canaries) {
    await service.get(`/payments/balance?key=${encodeURIComponent(text)}`, apiKey, {
      authorization: `Bearer ${encodeURIComponent(text)}`,
      'user-agent': encodeURIComponent(text),
    });
    await service.post('/payments/transactions', apiKey, {
      amount: 'x',
      description: 5,
      api_key: text,
      password: text,
    });
  }
  return canaries;
}

/** What the merchant's other systems get: an assistant's key, and the secrets of endpoints. */
async function plantKeysOfSystems(service: TestService, tenant: Tenant, plant: Plant): Promise<void> {
  const { browser, receiverUrl } = tenant;
  const once = { 'idempotency-key': 'segredo-3' };
  await browser.call('session.confirm', { password: PASSWORD });
  const asked = { name: 'assistente', permissions: ['mcp:use', 'balance:read'], allowed_ips: [], expires_at: null };
  const made = await browser.call('keys.create', asked, 'test', once);
  const assistantKey = (made.data as { api_key?: string } | undefined)?.api_key;
  plant("an assistant's key", assistantKey);
  const assistant = await connectAssistant(service.url, { authorization: `Bearer ${assistantKey}` });
  await assistant.call('get_balance', { api_key: assistantKey });
  await assistant.client.close();

  const key = await tenant.newKey('test', { permissions: PERMISSIONS });
  const secretOf = (answer: { data?: unknown } | undefined) =>
    (answer?.data as { secret?: string } | undefined)?.secret;
  const endpoint = await service.post('/webhook-endpoints', key, { url: `${receiverUrl}/mais` }, once);
  plant("an endpoint's secret, in an answer kept for its Idempotency-Key", secretOf(endpoint.body));
  const { endpoint_id: id } = endpoint.body.data as { endpoint_id: string };
  const rotated = await service.post(`/webhook-endpoints/${id}/rotate-secret`, key, {}, { 'idempotency-key': 's-4' });
  plant("an endpoint's later secret", secretOf(rotated.body));
  const inPanel = { url: `${receiverUrl}/painel` };
  const ofPanel = await browser.call('endpoints.create', inPanel, 'test', { 'idempotency-key': 's-5' });
  plant("an endpoint's secret, made in the panel", secretOf(ofPanel.data as { data?: unknown } | undefined));
  const later = await browser.call('webhooks.rotateSecret', {}, 'test', { 'idempotency-key': 's-6' });
  plant("a webhook's later secret", secretOf(later));
}

/** Credentials with a provider: good ones, which are kept, and others, which are rejected. */
async function plantProviderSecrets(service: TestService, tenant: Tenant, plant: Plant): Promise<void> {
  const { browser } = tenant;
  const offered = service.deps.settings.sandboxCredentials?.(tenant.owned.live.accountId);
  const good = { kind: 'api_pix', provider: 'sandbox' };
  const pix = { client_id: offered?.clientId, client_secret: offered?.clientSecret, pix_key: offered?.pixKey };
  await browser.call('providers.connect', { ...good, ...pix, client_secret: 'segredo-que-nao-serve-93' }, 'live');
  plant("a provider's secret that was rejected", 'segredo-que-nao-serve-93');
  const connected = await browser.call('providers.connect', { ...good, ...pix }, 'live');
  const isConnected = (connected.data as { connected?: boolean } | undefined)?.connected;
  plant("a provider's secret that is kept", isConnected ? offered?.clientSecret : undefined);
  await browser.call('providers.connect', { kind: 'plisio', provider: 'plisio', api_key: 'chave-da-loja-71' }, 'live');
  plant("a processor's key that was rejected", 'chave-da-loja-71');
}

/** Numbers of people: a payer's, and those that money is sent to. */
async function plantNumbers(service: TestService, tenant: Tenant, plant: Plant): Promise<void> {
  const { browser } = tenant;
  const [payer, receiver, phone] = ['39053344705', '11144477735', '11987650432'];
  const key = await tenant.newKey('test');
  const charge = { amount: 10, customerName: 'Fulana', customerDocument: payer, customerDocumentType: 'cpf' };
  await service.post('/payments/transactions', key, charge, { 'idempotency-key': 's-7' });
  await service.post('/payments/transactions', key, { ...charge, amount: 'x', metadata: { cpf: payer } });
  plant("a payer's CPF", payer);
  await service.post('/payments/transfers/pix', key, { amount: 1, pixKey: `+55${phone}`, pixKeyType: 'PHONE' });
  plant('a PIX key that is a phone', phone);
  await browser.call('session.confirm', { password: PASSWORD });
  const file = `valor;chave;tipo_chave;descricao\n1,00;${receiver};CPF;salario`;
  const made = await browser.call('batches.make', { file }, 'test', { 'idempotency-key': 's-8' });
  plant('a PIX key of a batch that is a CPF', made.status === 200 ? receiver : undefined);
  const batchId = (made.data as { batch_id?: string } | undefined)?.batch_id;
  await service.until('the batch has run', async () => {
    const { data } = await browser.ask('batches.get', { batch_id: batchId });
    const [row] = (data as { rows: { failure: string | null; transaction: object | null }[] }).rows;
    return row?.failure ?? row?.transaction ?? null;
  });
}

/** What an operator signs in with, and the token of somebody who was invited. */
async function plantOperatorSecrets(service: TestService, plant: Plant): Promise<void> {
  const login = await createOperator({ ...service.deps, operator: 'prova' }, { name: 'Ana', email: 'ana@op.example' });
  if (!login) throw new Error('There is such an operator.');
  const browser = await operatorBrowser(service, login);
  plant("an operator's password", login.password);
  plant("an operator's seed", login.authenticatorKey);
  plant("an operator's session", browser.cookies.get('trilho.operator'));
  await openBrowser(service).post('/operator/api/sign-in', { email: login.email, password: login.password, code: '0' });
}

function look(arena: Arena, where: string, canaries: readonly Canary[], texts: readonly string[]): void {
  // ASVS 16.2.5
  const tally = arena.attack(`secrets in ${where}`);
  for (const { what, text } of canaries) {
    const found = texts.find((one) => one.includes(text) || one.includes(encodeURIComponent(text)));
    tally(what, found === undefined ? null : `found in ${shortened(found, text)}`);
  }
  tally('something to look at', texts.length > 0 ? null : 'there is nothing');
}

/** The text around a secret, without the secret itself. */
const shortened = (text: string, secret: string): string =>
  text.replaceAll(secret, '[…]').replaceAll(encodeURIComponent(secret), '[…]').slice(0, 300);

/**
 * Every row of every table of the product, as text; the sandbox's tables belong to another company.
 */
async function dump(service: TestService): Promise<string[]> {
  const { pool } = service.deps.db;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return texts;
}
