import { messagesOf } from '../../src/testing/mails.ts';
import { linkIn, mailTo, openBrowser, PASSWORD, setUpAuthenticator } from '../../src/testing/panel-browser.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena, Subject } from '../subject.ts';
import { openTenant, type Tenant } from '../tenants.ts';

/** A text to look for, and what it is. */
type Canary = { what: string; text: string };

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
      canaries.filter(({ what }) => what !== 'the token of a link'),
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

  const { secret, backupCodes } = await setUpAuthenticator(browser);
  plant("an authenticator's seed", secret);
  for (const code of backupCodes.slice(0, 3)) plant('a recovery code', code);
  await openBrowser(service).post('/api/auth/request-password-reset', { email: tenant.email });
  const mail = await service.until('the link', async () =>
    (await mailTo(service, tenant.email)).find((text) => text.includes('token=')),
  );
  plant('the token of a link', new URL(linkIn(mail), service.url).searchParams.get('token') ?? undefined);
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
