import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectInput } from '#contract/providers/providers.ts';
import { findCredentialOf, findCredentialVersions, replaceCredential } from '#db/accounts/own-credentials.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { PixDispute, PixPayment, PixRail } from '#rails/ports.ts';
import { ownRailName } from '#rails/registry.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import type { SandboxCredentials } from '#services/deps.ts';
import { bookDispute } from '#services/disputes/book-dispute.ts';
import { sealNewCredentials } from '#services/providers/seal-credentials.ts';
import { bookPayment, findUnbooked } from '#services/unmatched/book-payment.ts';
import { bookSentPayment } from '#services/unmatched/book-sent-payment.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

let trilho: TestService;
let shop: Awaited<ReturnType<typeof openShop>>;

beforeAll(async () => {
  trilho = await startTestService();
  shop = await openShop();
});
afterAll(() => trilho.stop());

/** A live account with what the sandbox gives it, and its owner at the panel. */
async function openShop() {
  const { accountId, apiKey, merchantId } = await trilho.openAccount({ mode: 'live', currency: 'USDT_BSC' });
  const given = trilho.deps.settings.sandboxCredentials?.(accountId);
  if (!given) throw new Error('A demo gives out credentials.');
  return { accountId, apiKey, merchantId, given, panel: await panelCaller(trilho.deps, accountId) };
}

const pixOf = ({ clientId, clientSecret, pixKey }: SandboxCredentials, change = {}): ConnectInput => ({
  ...{ kind: 'api_pix', provider: 'sandbox', client_id: clientId, client_secret: clientSecret, pix_key: pixKey },
  ...change,
});
const cryptoOf = (api_key: string): ConnectInput => ({ kind: 'plisio', provider: 'sandbox', api_key });
const reasonOf = async (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { cause?: { code?: string; params?: object; details?: object[] } }) => error.cause ?? {},
  );
const railsOf = async (one = shop) => (await one.panel.providers.get()).rails;
const railOf = async (id: string) => {
  const { rows } = await trilho.deps.db.pool.query('SELECT rail, status::text FROM transactions WHERE id = $1', [id]);
  return rows[0] as { rail: string; status: string };
};
const charge = async (one = shop) => {
  return transactionIdOf(await trilho.post('/payments/transactions', one.apiKey, { amount: 10 }));
};
const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => (await railOf(id)).status === status || null);
const auditOf = async () => {
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT action, details FROM audit_records WHERE account_id = $1 AND action ~ '^credentials' ORDER BY id`,
    [shop.accountId],
  );
  return rows as { action: string; details: object }[];
};

test('credentials that the PSP rejects are not saved, and the answer says what was rejected', async () => {
  const outcome = await shop.panel.providers.connect(pixOf(shop.given, { client_secret: 'wrong' }));
  expect(outcome.connected).toBe(false);
  expect(outcome.findings).toContainEqual({ route: 'cob', answer: 'not_allowed' });
  expect((await railsOf())[0]).toMatchObject({ kind: 'api_pix', uses: 'sandbox', connected: null });
  expect(await auditOf()).toEqual([]);
});

test('the installation’s own credentials are not taken for an account’s', async () => {
  const rails = { ...trilho.deps.rails, isInstallations: () => true };
  const panel = await panelCaller({ ...trilho.deps, rails }, shop.accountId);
  expect(await reasonOf(panel.providers.connect(pixOf(shop.given)))).toMatchObject({ code: 'credentials_taken' });
  expect((await railsOf())[0]).toMatchObject({ uses: 'sandbox', connected: null });
});

test('credentials that the PSP takes are used from the next charge on, called back over, and never shown again', async () => {
  expect(await shop.panel.providers.connect(pixOf(shop.given))).toEqual({
    connected: true,
    findings: ['cob', 'refunds', 'webhook', 'list', 'payouts'].map((route) => ({ route, answer: 'can' })),
  });
  await trilho.until('the callback address is registered', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      `SELECT webhook_url FROM sandbox.webhooks WHERE chave = '${shop.given.pixKey}'`,
    );
    return rows[0]?.webhook_url.includes('/inbound/pix/own-') || null;
  });
  const id = await charge();
  expect((await railOf(id)).rail).toMatch(/^own-/);
  await trilho.pay(id);
  await becomes(id, 'paid');

  const shown = await railsOf();
  expect(shown[0]).toMatchObject({
    uses: 'own',
    connected: { provider: 'sandbox', by_operator: false, check_answer: 'can' },
  });
  // The sandbox's own offer apart, which a demo makes to the owner alone.
  const asDeveloper = await panelCaller(trilho.deps, shop.accountId, { role: 'developer' });
  expect(JSON.stringify(await asDeveloper.providers.get())).not.toContain(shop.given.clientSecret);
  expect(await auditOf()).toEqual([
    {
      action: 'credentials.connected',
      details: { kind: 'api_pix', provider: 'sandbox', fields: 'clientId clientSecret pixKey' },
    },
  ]);
  expect(trilho.log.join('')).not.toContain(shop.given.clientSecret);
});

test('replaced credentials of the same key keep the rail, so that what is in flight is asked for over it', async () => {
  const before = await findCredentialOf(trilho.deps.db, shop.accountId, 'api_pix');
  const open = await charge();
  await shop.panel.providers.connect(pixOf(shop.given));
  const after = await findCredentialOf(trilho.deps.db, shop.accountId, 'api_pix');
  expect(after?.id).not.toBe(before?.id);
  expect(after?.railId).toBe(before?.railId);
  const versions = await findCredentialVersions(trilho.deps.db, before?.railId ?? '');
  expect(versions.map(({ endedAt }) => endedAt === null)).toEqual([true, false]);
  expect((await railsOf())[0]?.earlier_in_flight).toMatchObject({ charges: 1 });
  expect((await auditOf()).at(-1)).toMatchObject({ action: 'credentials.replaced', details: { fields: '' } });
  await trilho.pay(open);
  await becomes(open, 'paid');
});

test('of two who replace the same credentials at once one does, and the other is rejected', async () => {
  const tries = await Promise.allSettled([1, 2].map(() => shop.panel.providers.connect(pixOf(shop.given))));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

/** The other credentials that an account has from now on, as a rail. */
async function addRail(accountId: string): Promise<PixRail> {
  const { db } = trilho.deps;
  const now = new Date();
  const value = sealNewCredentials(
    trilho.deps,
    { kind: 'api_pix', value: { sandbox: true, clientId: 'x', clientSecret: 'x', pixKey: accountId } },
    now,
  );
  const inUse = await findCredentialOf(db, accountId, 'api_pix');
  const audit = { merchantId: null, memberId: null, accountId: null, action: 'test', details: {}, at: now };
  const change = { accountId, kind: 'api_pix' as const, replaces: inUse?.id ?? null, value, now };
  await replaceCredential(db, { ...change, audit: { ...audit, ipAddress: null, userAgent: null } });
  return { name: ownRailName(value.railId) } as PixRail;
}

/**
 * A payment of the shop, and three rails: its own, another one of its account, another account's.
 */
async function paidOverRails() {
  const { db } = trilho.deps;
  const { rows } = await db.pool.query(
    `SELECT id, end_to_end_id AS "endToEndId", paid_at AS "paidAt" FROM transactions
     WHERE account_id = $1 AND status = 'paid' LIMIT 1`,
    [shop.accountId],
  );
  const inUse = await findCredentialOf(db, shop.accountId, 'api_pix');
  const paid: PixPayment = {
    ...{ endToEndId: rows[0].endToEndId, txid: uuidToTxid(rows[0].id), amountCentavos: 1_000n },
    ...{ paidAt: rows[0].paidAt, payerNote: null, refunds: [] },
  };
  return {
    paid,
    own: { name: ownRailName(inUse?.railId ?? '') } as PixRail,
    beside: await addRail(shop.accountId),
    stranger: await addRail((await trilho.openAccount({ mode: 'live' })).accountId),
  };
}

test('money over one rail of an account is not counted again over another one, and another account’s is', async () => {
  const { paid, own, beside, stranger } = await paidOverRails();
  expect(await bookPayment(trilho.deps, beside, paid)).toBe('unchanged');
  const loose = { ...paid, txid: null, endToEndId: `E99999999202611231200${'1'.repeat(11)}` };
  expect(await bookPayment(trilho.deps, own, loose)).toBe('unmatched');
  expect(await bookPayment(trilho.deps, beside, loose)).toBe('unchanged');
  const sent = {
    ...{ payoutId: null, endToEndId: `E99999999202611231200${'2'.repeat(11)}`, status: 'completed' as const },
    ...{ amountCentavos: 500n, sentAt: paid.paidAt, returns: [] },
  };
  expect(await bookSentPayment(trilho.deps, own.name, sent)).toBe('foreign_payout');
  expect(await bookSentPayment(trilho.deps, beside.name, sent)).toBe('unchanged');
  // Planted: over credentials of somebody else the same entries are other money.
  expect(await bookPayment(trilho.deps, stranger, loose)).toBe('unmatched');
  expect(await bookSentPayment(trilho.deps, stranger.name, sent)).toBe('foreign_payout');
  await shop.panel.providers.connect(pixOf(shop.given));
});

test('a payment to a charge whose credentials are revoked is credited when others of the account list it', async () => {
  const open = await charge();
  const { paid, own, beside } = await paidOverRails();
  const revoked = { ...own, findCharge: async () => ({ outcome: 'rejected' as const, reason: 'unauthorized' }) };
  const rails = { ...trilho.deps.rails, pixNamed: async () => revoked };
  const listed = { ...paid, txid: uuidToTxid(open), endToEndId: `E99999999202611231200${'3'.repeat(11)}` };
  await expect(bookPayment({ ...trilho.deps, rails }, own, listed)).rejects.toThrow('unauthorized');
  expect(await bookPayment({ ...trilho.deps, rails }, beside, listed)).toBe('paid');
  await shop.panel.providers.connect(pixOf(shop.given));
});

test('a payment that credentials of the account list does not pay a charge over the installation’s own', async () => {
  const { accountId, apiKey } = await trilho.openAccount({ mode: 'live' });
  const open = transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 10 }));
  expect(await railOf(open)).toEqual({ rail: 'sandbox', status: 'pending' });
  // What a PSP of the account's own choice says is no money at the installation's.
  const listed: PixPayment = {
    ...{ txid: uuidToTxid(open), endToEndId: `E99999999202611231200${'4'.repeat(11)}`, amountCentavos: 1_000n },
    ...{ paidAt: new Date(), payerNote: null, refunds: [] },
  };
  expect(await bookPayment(trilho.deps, await addRail(accountId), listed)).toBe('unmatched');
  expect(await railOf(open)).toMatchObject({ status: 'pending' });
});

test('what went back of a payment, and that it is contested, is booked by whichever credentials of the account list it', async () => {
  const { paid, own, beside, stranger } = await paidOverRails();
  const refund = { refundId: 'APP1', returnId: `D99999999202611231200${'1'.repeat(11)}`, amountCentavos: 100n };
  const [kind, at] = ['made_at_bank' as const, new Date()];
  const returned = { ...paid, refunds: [{ ...refund, kind, at, completed: true }] };
  expect(await findUnbooked(trilho.deps, beside.name, [returned])).toEqual([returned]);
  expect(await bookPayment(trilho.deps, beside, returned)).toBe('foreign_refund');
  expect(await findUnbooked(trilho.deps, own.name, [returned])).toEqual([]);
  expect(await bookPayment(trilho.deps, own, returned)).toBe('unchanged');
  const dispute: PixDispute = {
    ...{ providerId: `case-${paid.endToEndId}`, endToEndId: paid.endToEndId, status: 'open', rawStatus: 'OPEN' },
    ...{ reason: 'fraud', amountCentavos: 300n, openedAt: at, answerBy: new Date(at.getTime() + 86_400_000) },
    ...{ answeredAt: null, payerDocument: null },
  };
  expect(await bookDispute(trilho.deps, stranger.name, dispute)).toBe('unchanged');
  expect(await bookDispute(trilho.deps, beside.name, dispute)).toBe('opened');
  expect(await bookDispute(trilho.deps, own.name, { ...dispute, status: 'won', rawStatus: 'WON' })).toBe('won');
  await shop.panel.providers.connect(pixOf(shop.given));
});

test('what is under way is named before credentials are disconnected, and afterwards they are used no more', async () => {
  const open = await charge();
  const inUse = await reasonOf(shop.panel.providers.disconnect({ kind: 'api_pix' }));
  expect(inUse).toMatchObject({ code: 'credentials_in_use', params: { charges: '1', withdrawals: '0' } });
  await trilho.post(`/payments/transactions/${open}/cancel`, shop.apiKey, {});
  await becomes(open, 'cancelled');
  await shop.panel.providers.disconnect({ kind: 'api_pix' });
  expect((await railsOf())[0]).toMatchObject({ uses: 'sandbox', connected: null });
  expect(await reasonOf(shop.panel.providers.disconnect({ kind: 'api_pix' }))).toMatchObject({ code: 'invalid_state' });
  await trilho.until('they are not used', async () => (await railOf(await charge())).rail === 'sandbox' || null);
});

test('a key of the crypto processor is asked first, used for invoices, and taken from one account only', async () => {
  const { cryptoKey } = shop.given;
  expect(await shop.panel.providers.connect(cryptoOf(`${cryptoKey}x`))).toEqual({
    connected: false,
    findings: [{ route: 'operations', answer: 'not_allowed' }],
  });
  expect(await shop.panel.providers.connect(cryptoOf(cryptoKey))).toMatchObject({ connected: true });
  const id = await trilho.until('an invoice is made with it', async () => {
    const made = transactionIdOf(await trilho.post('/payments/deposits/crypto', shop.apiKey, { amount: 100 }));
    return (await railOf(made)).rail.startsWith('own-') ? made : null;
  });
  await trilho.pay(id);
  await becomes(id, 'completed');
  const other = await openShop();
  expect(await reasonOf(other.panel.providers.connect(cryptoOf(cryptoKey)))).toMatchObject({
    code: 'credentials_taken',
  });
  // Nor from the operator for a second one.
  const credentials = [
    { kind: 'plisio' as const, value: { apiKey: cryptoKey, baseUrl: 'https://plisio.example.com' } },
  ];
  await expect(trilho.openAccount({ mode: 'live', credentials })).rejects.toThrow('Another account uses these');
  expect(await shop.panel.providers.check({ kind: 'plisio' })).toEqual({
    findings: [{ route: 'operations', answer: 'can' }],
  });
});

test('two accounts that connect the same credentials at once do not both get them', async () => {
  const { deps } = trilho;
  const shops = [await openShop(), await openShop()];
  const key = shops[0]?.given.cryptoKey ?? '';
  let checks = 0;
  let release: () => void;
  const bothChecked = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Both have found that nobody uses the key before either stores it. */
  const checkOwn: typeof deps.rails.checkOwn = async (credentials) => {
    const findings = await deps.rails.checkOwn(credentials);
    if (++checks === shops.length) release();
    await bothChecked;
    return findings;
  };
  const held = { ...deps, rails: { ...deps.rails, checkOwn } };
  const tries = await Promise.all(
    shops.map(async ({ accountId }) => reasonOf((await panelCaller(held, accountId)).providers.connect(cryptoOf(key)))),
  );
  expect(tries.map((reason) => reason?.code ?? 'connected').sort()).toEqual(['connected', 'credentials_taken']);
});

test('credentials that an operator sets while a member connects others are in use afterwards', async () => {
  const { accountId, given } = await openShop();
  const { clientId, clientSecret, pixKey } = given;
  const value = { sandbox: true, clientId, clientSecret, pixKey };
  const unchanged = { merchant: {}, account: {}, fees: [], limits: [], rails: [], webhookUrl: undefined };
  const set = () => setAccount(trilho.deps, { ...unchanged, accountId, credentials: [{ kind: 'api_pix', value }] });
  await set();
  const connected = async (session: pg.Pool) => {
    await session.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const ended = 'UPDATE credentials SET is_active = false, ended_at = created_at WHERE account_id = $1 RETURNING *';
    await session.query(
      `WITH ended AS (${ended}) INSERT INTO credentials (id, account_id, kind, sealed, created_at, rail_id)
       SELECT gen_random_uuid(), account_id, kind, sealed, created_at, rail_id FROM ended`,
      [accountId],
    );
  };
  expect(await askDuring(trilho.deps.db.pool, connected, set)).toBe(true);
  const { rows } = await trilho.deps.db.pool.query(
    'SELECT is_active FROM credentials WHERE account_id = $1 ORDER BY 1',
    [accountId],
  );
  expect(rows.map(({ is_active }) => is_active)).toEqual([false, false, true]);
});

test('what an installation does not offer is rejected before any provider is asked', async () => {
  const efi: ConnectInput = {
    ...{ kind: 'api_pix', provider: 'efi', client_id: 'id', client_secret: 's', pix_key: 'loja@example.com' },
    ...{ certificate: 'PEM', private_key: 'PEM', pkcs12: null, passphrase: null, app_key: null },
    account_number: null,
  };
  expect(await reasonOf(shop.panel.providers.connect(efi))).toMatchObject({
    code: 'invalid_input',
    details: [{ field: 'provider' }],
  });
  const others = await openShop();
  expect(await reasonOf(shop.panel.providers.connect(pixOf(others.given)))).toMatchObject({
    details: [{ field: 'pix_key' }],
  });
  const test = await panelCaller(trilho.deps, (await trilho.openAccount()).accountId);
  expect(await reasonOf(test.providers.connect(pixOf(shop.given)))).toMatchObject({ code: 'invalid_state' });
  expect((await test.providers.get()).rails.map(({ uses }) => uses)).toEqual(['sandbox', 'sandbox']);
});

test('where own credentials are required, the panel asks for what is missing, the API says what the account can do, and a withdrawal says so before it is sent', async () => {
  const { settings } = trilho.deps;
  const { panel, given, accountId, apiKey } = await openShop();
  settings.requireOwnCredentials = true;
  const active = async () => ((await trilho.get('/account', apiKey)).body as { data: { rails: object } }).data.rails;
  const asked = async () => ({
    page: (await panel.providers.get()).rails.map(({ uses }) => uses),
    attention: (await panel.overview.get({ period: '7d' })).attention.missing_providers,
    step: (await panel.firstSteps.get()).provider,
    withdrawal: (await panel.withdrawalPreview.get({ kind: 'pix', amount: null })).errors,
  });
  expect(await asked()).toMatchObject({
    ...{ page: ['none', 'none'], attention: ['api_pix', 'plisio'], step: 'missing' },
    withdrawal: expect.arrayContaining(['own_credentials_required']),
  });
  expect(await active()).toEqual({ pix_in: false, pix_out: false, crypto_in: false, crypto_out: false });
  expect((await panel.terms.get()).fees.map((fee) => fee.active)).toEqual([false, false, false, false]);
  await panel.providers.connect(pixOf(given));
  expect(await active()).toEqual({ pix_in: true, pix_out: true, crypto_in: false, crypto_out: false });
  const connected = await (await panelCaller(trilho.deps, accountId)).overview.get({ period: '7d' });
  expect(connected.attention.missing_providers).toEqual(['plisio']);
  settings.requireOwnCredentials = false;
});
