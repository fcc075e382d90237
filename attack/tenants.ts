import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BATCH_ROWS_INDEX, batchRowsOfAccount, sealContext } from '#db/encryption/sealed-columns.ts';
import { addPayee } from '#db/payees/payees.ts';
import { addMember } from '#db/testing/add-member.ts';
import { recordForeignPayout } from '#db/unmatched/foreign-payouts.ts';
import { recordUnmatched } from '#db/unmatched/unmatched.ts';
import { makeBatch } from '#db/withdrawals/payout-batches.ts';
import { PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { publicEventId } from '#domain/webhooks/events.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import { encodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { inviteMember } from '#services/members/invite-member.ts';
import { listPeople } from '#services/members/manage-members.ts';
import { pixDestination } from '#services/payees/destination.ts';
import { disputedCharge } from '../src/testing/disputed-charge.ts';
import { openMember, type PanelBrowser } from '../src/testing/panel-browser.ts';
import type { TestService } from '../src/testing/test-service.ts';
import { pdfFile } from '../src/testing/uploaded-files.ts';
import type { Arena } from './subject.ts';

/** Later than any run of the suite lasts. */
const SCHEDULED_IN_MS = 30 * 24 * 3_600_000;

/** Ids of what an account owns: whatever an input can name. */
export type Owned = {
  accountId: string;
  paidCharge: string;
  pendingCharge: string;
  pixWithdrawal: string;
  /** A withdrawal that a second person may approve. */
  waitingWithdrawal: string;
  /** A batch that a second person may approve. */
  batch: string;
  payee: string;
  /** A disabled endpoint of webhooks. */
  endpoint: string;
  /** A withdrawal that begins next month. */
  scheduledWithdrawal: string;
  invoice: string;
  dispute: string;
  unmatched: string;
  foreignPayout: string;
  delivery: string;
  event: string;
  key: string;
  session: string;
  request: string;
  document: string;
  invitation: string;
  /** A member who is not the one that is signed in. */
  member: string;
  merchant: string;
  email: string;
};

export type Mode = 'live' | 'test';
export const MODES: readonly Mode[] = ['live', 'test'];

export type Tenant = {
  email: string;
  merchantId: string;
  /** The browser in which its member is signed in. */
  browser: PanelBrowser;
  /** Makes a key of one of its accounts. */
  newKey(
    mode: Mode,
    options?: { permissions?: readonly Permission[]; allowedIps?: string[]; expiresAt?: Date },
  ): Promise<string>;
  owned: Record<Mode, Owned>;
  /** Texts that no other tenant may see. */
  canaries: string[];
  /** Where its webhooks go. */
  receiverUrl: string;
};

/** Returns ids that nothing has. */
export function idsOfNothing(now: Date): Owned {
  const id = () => uuidv7(now);
  return {
    accountId: id(),
    paidCharge: id(),
    pendingCharge: id(),
    pixWithdrawal: id(),
    waitingWithdrawal: id(),
    batch: id(),
    payee: id(),
    endpoint: id(),
    scheduledWithdrawal: id(),
    invoice: id(),
    dispute: id(),
    unmatched: id(),
    foreignPayout: id(),
    delivery: id(),
    event: publicEventId(id()),
    key: id(),
    session: id(),
    request: '99999999999999999',
    document: id(),
    invitation: id(),
    member: id(),
    merchant: id(),
    email: `unknown-${randomBytes(4).toString('hex')}@example.com`,
  };
}

/**
 * Opens a merchant with a signed-in member, and with something of every kind in both of its
 * accounts.
 */
export async function openTenant(arena: Pick<Arena, 'closing'>, service: TestService, name: string): Promise<Tenant> {
  const { pool } = service.deps.db;
  const email = `${name}@example.com`;
  const { browser } = await openMember(service, email);
  const { rows } = await pool.query<{ id: string; merchant_id: string; mode: Mode }>(
    'SELECT a.id, a.merchant_id, a.mode FROM accounts a JOIN merchants m ON m.id = a.merchant_id WHERE m.email = $1',
    [email],
  );
  const merchantId = rows[0]?.merchant_id ?? '';
  // Before the approval, after which nothing more can be handed in.
  const document = await uploadDocument(service, browser);
  await pool.query("UPDATE merchants SET kyc_status = 'approved' WHERE id = $1", [merchantId]);
  await pool.query("SELECT pg_notify('trilho_accounts', $1)", [merchantId]);
  const accountOf = (mode: Mode) => rows.find((row) => row.mode === mode)?.id ?? '';

  const newKey: Tenant['newKey'] = async (mode, options = {}) => {
    const { permissions = PERMISSIONS } = options;
    const made = await createApiKey(service.deps, {
      accountId: accountOf(mode),
      name: 'suite',
      ...options,
      permissions,
    });
    return made?.apiKey ?? '';
  };
  await inviteMember(service.deps, {
    merchantId,
    email: `convite.${email}`,
    role: 'owner',
    language: 'pt-BR',
    by: null,
  });
  const invitation = (await listPeople(service.deps, merchantId)).invitations[0]?.id ?? '';
  const member = uuidv7(service.deps.clock());
  await addMember(pool, { id: member, merchantId, email: `colega.${email}`, role: 'viewer' });
  const receiver = await startReceiver();
  arena.closing.push(receiver.close);
  const canary = `canario-${name}-${randomBytes(6).toString('hex')}`;
  const canaries = [canary, email, document, invitation, member];
  const owned = {} as Record<Mode, Owned>;
  for (const mode of MODES) {
    const of = await fillAccount(service, {
      mode,
      accountId: accountOf(mode),
      browser,
      canary,
      callbackUrl: receiver.url,
      newKey,
    });
    const payee = await putPayee(service, accountOf(mode), canary);
    const unbooked = await putUnbooked(service, accountOf(mode), mode);
    owned[mode] = {
      ...of,
      payee,
      ...unbooked,
      accountId: accountOf(mode),
      document,
      invitation,
      member,
      merchant: merchantId,
      email,
    };
    canaries.push(...Object.values(of), payee, accountOf(mode));
  }
  return {
    email,
    merchantId,
    browser,
    newKey,
    owned,
    canaries: canaries.filter((text) => text.length > 8),
    receiverUrl: receiver.url,
  };
}

/** The reais that an account starts with; more than all attempts on it take. */
const FUNDS = 900;
/** A public address that nothing is sent to. */
const NOBODYS_URL = 'https://93.184.215.14/hook';
/**
 * The CPF of every tenant's payer: the same one, and no account may see another's charges of them.
 */
const PAYERS_CPF = '52998224725';

async function fillAccount(
  service: TestService,
  account: {
    mode: Mode;
    accountId: string;
    browser: PanelBrowser;
    canary: string;
    callbackUrl: string;
    newKey: Tenant['newKey'];
  },
): Promise<
  Omit<
    Owned,
    'payee' | 'unmatched' | 'foreignPayout' | 'accountId' | 'document' | 'invitation' | 'member' | 'merchant' | 'email'
  >
> {
  const { mode, browser, canary, newKey } = account;
  const apiKey = await newKey(mode);
  const make = async (path: string, body: object) => {
    const answer = await service.post(path, apiKey, body);
    const id = (answer.body.data as { transaction_id?: string } | undefined)?.transaction_id;
    if (!id) throw new Error(`${path} of a tenant answered ${answer.status}: ${answer.text}`);
    return id;
  };
  const callback = mode === 'test' ? { callbackUrl: account.callbackUrl } : {};
  const payer = { customerName: canary, customerDocument: PAYERS_CPF, customerDocumentType: 'cpf' };
  const charge = { description: canary, ...payer, ...callback };
  const paidCharge = await make('/payments/transactions', { amount: FUNDS, ...charge });
  await service.pay(paidCharge);
  await service.until('the charge is paid', async () => {
    const { body } = await service.get(`/payments/transactions/${paidCharge}`, apiKey);
    return (body.data as { status: string }).status === 'paid' || null;
  });
  const pendingCharge = await make('/payments/transactions', { amount: 12, ...charge });
  const invoice = await make('/payments/deposits/crypto', { amount: 150, currency: 'BTC' });
  const pixWithdrawal = await make('/payments/transfers/pix', {
    amount: 20,
    pixKey: `${canary}@example.com`,
    pixKeyType: 'EMAIL',
    description: canary,
  });
  const { pool } = service.deps.db;
  const needsApproval = (centavos: number | null) =>
    pool.query(
      `INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', $2)
       ON CONFLICT (account_id, kind) DO UPDATE SET centavos = excluded.centavos`,
      [account.accountId, centavos],
    );
  await needsApproval(0);
  const waitingWithdrawal = await make('/payments/transfers/pix', {
    amount: 15,
    pixKey: `${canary}@example.com`,
    pixKeyType: 'EMAIL',
  });
  const batch = await putBatch(service, account.accountId, `${canary}@example.com`);
  await needsApproval(null);
  const scheduledWithdrawal = await make('/payments/transfers/pix', {
    amount: 14,
    pixKey: `${canary}@example.com`,
    pixKeyType: 'EMAIL',
    scheduledFor: dateInSaoPaulo(new Date(Date.now() + SCHEDULED_IN_MS)),
  });
  const endpoint = await service.post('/webhook-endpoints', apiKey, {
    url: NOBODYS_URL,
    description: canary,
    enabled: false,
  });
  const { disputeId: dispute } = await disputedCharge(service, apiKey, 30, charge);
  const idOf = (procedure: string, list: string, id: string, input?: object) =>
    service.until(`${procedure} shows something`, async () => {
      const { data } = await browser.ask(procedure, input, mode);
      const [first] = ((data as Record<string, Record<string, string>[]> | undefined)?.[list] ?? []) as Record<
        string,
        string
      >[];
      return first?.[id];
    });
  return {
    paidCharge,
    pendingCharge,
    invoice,
    pixWithdrawal,
    waitingWithdrawal,
    batch,
    endpoint: String((endpoint.body.data as { endpoint_id: string }).endpoint_id),
    scheduledWithdrawal,
    dispute,
    delivery: await idOf('webhooks.deliveries', 'deliveries', 'delivery_id', {}),
    event: await idOf('webhooks.deliveries', 'deliveries', 'event_id', {}),
    key: await idOf('keys.list', 'keys', 'key_id'),
    session: await idOf('security.get', 'sessions', 'id'),
    request: await idOf('requests.list', 'requests', 'id', {}),
  };
}

/**
 * Adds money without a charge and money that left without a request, over the account's own
 * credentials.
 */
async function putUnbooked(
  service: TestService,
  accountId: string,
  mode: Mode,
): Promise<Pick<Owned, 'unmatched' | 'foreignPayout'>> {
  const { pool } = service.deps.db;
  const now = service.deps.clock();
  const common = { rail: 'sandbox', mode, accountId, centavos: 700n, createdAt: now };
  const unmatched = uuidv7(now);
  const foreignPayout = uuidv7(now);
  const endToEnd = () => `E99999999${randomBytes(12).toString('hex').slice(0, 23)}`;
  const payment = { ...common, id: unmatched, txid: null, payerNote: null, paidAt: now, endToEndId: endToEnd() };
  await recordUnmatched(pool, payment);
  await recordForeignPayout(pool, { ...common, id: foreignPayout, sentAt: now, endToEndId: endToEnd() });
  return { unmatched, foreignPayout };
}

/** Adds a batch of one withdrawal that another member than the signed-in one made. */
async function putBatch({ deps }: TestService, accountId: string, pixKey: string): Promise<string> {
  const now = deps.clock();
  const id = uuidv7(now);
  const kept = encodeBatchRows([
    { amountCentavos: 1_600n, pixKey, pixKeyType: 'email', description: null, reference: null },
  ]);
  const batch = {
    ...{ id, accountId, memberId: id, now, decideUntil: new Date(now.getTime() + APPROVE_WITHIN_MS) },
    sealed: deps.secretBox.seal(kept, sealContext('payout_batches.sealed', { id })),
    rowsIndexes: deps.secretBox.fingerprints(batchRowsOfAccount(accountId, kept), BATCH_ROWS_INDEX),
    rows: [{ withdrawalId: uuidv7(now), earlierRowNewId: null, centavos: 1_600n }],
  };
  await makeBatch(deps.db.pool, batch, {
    ...{ merchantId: null, memberId: null, accountId, action: 'withdrawal.batch_made', details: {} },
    ...{ ipAddress: null, userAgent: null, at: now },
  });
  return id;
}

/** Adds a waiting entry of the address book. */
async function putPayee({ deps }: TestService, accountId: string, label: string): Promise<string> {
  const now = deps.clock();
  const id = uuidv7(now);
  const destination = pixDestination(deps, accountId, `${label}@example.com`);
  const sealed = deps.secretBox.seal(`${label}@example.com`, sealContext('payees.pix_key', { id }));
  const payee = {
    ...{ id, accountId, memberId: id, wallet: null, destination, usableFrom: new Date(now.getTime() + 60_000), now },
    label: deps.secretBox.seal(label, sealContext('payees.label', { id })),
    pixKey: { sealed, index: destination.pixKeyIndexes[0], type: 'email' as const },
  };
  await addPayee(deps.db.pool, payee, 1, () => ({
    ...{ merchantId: null, memberId: null, accountId, action: 'payee.added', details: {} },
    ...{ ipAddress: null, userAgent: null, at: now },
  }));
  return id;
}

async function uploadDocument(service: TestService, browser: PanelBrowser): Promise<string> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${service.url}/upload/test/kyc?kind=identity&name=rg.pdf`, {
    method: 'POST',
    headers: { cookie, origin: service.url, 'content-type': 'application/pdf' },
    body: new Uint8Array(pdfFile()),
  });
  const { id } = (await answer.json()) as { id?: string };
  if (!id) throw new Error(`A tenant's document was answered ${answer.status}.`);
  return id;
}

async function startReceiver(): Promise<{ url: string; close(): void }> {
  const server = createServer((_req, res) => res.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
