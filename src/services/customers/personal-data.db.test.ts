import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deleteOldCallbacks } from '#db/callbacks/callbacks.ts';
import { findCharge } from '#db/charges/charges.ts';
import { CUSTOMER_DOCUMENT_INDEX, PIX_KEY_INDEX, pixKeyOfAccount, sealContext } from '#db/encryption/sealed-columns.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { recordForeignRefund } from '#db/refunds/foreign-refunds.ts';
import { deleteRequestRecords } from '#db/requests/request-records.ts';
import { awaitApprovalOfAll } from '#db/testing/await-approval-of-all.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { openWholeDatabase } from '#testing/open-whole-database.ts';
import { payCharge } from '#testing/paid-charge.ts';
import { openMember, setUpAuthenticator } from '#testing/panel-browser.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createProgram } from '../../cli/program.ts';
import { memberEntry } from '../audit/record-audit.ts';
import { sealEventBody } from '../webhooks/seal-event-body.ts';
import { eraseCustomer, planErasure } from './erase-customer.ts';

/** Each value is in one field, and its words are nowhere else in the product. */
const PERSON = {
  customerName: 'Xiromera Quelfontes',
  customerEmail: 'vuktrop@zelmiraxo.example',
  customerPhone: '21973150846',
  customerDocument: '39053344705',
  customerDocumentType: 'cpf',
  description: 'Frombulax azulado',
};
const OTHER = { ...PERSON, customerName: 'Outrem Pessoa', customerDocument: '52998224725', description: 'De outrem' };
/** What stands in place of a key: a random id, which may have any three digits in it. */
const ERASED = expect.stringMatching(/^\*{3}[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const WORDS = ['Xiromera', 'Quelfontes', 'vuktrop', '973150846', '39053344705', 'Frombulax'];
/** Past every retention. */
const MUCH_LATER = new Date('2060-06-01T12:00:00Z');

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

type Account = Awaited<ReturnType<typeof open>>;
async function open() {
  const account = await trilho.openAccount();
  return { ...account, panel: await panelCaller(trilho.deps, account.accountId) };
}

async function charge({ apiKey }: Account, more: object, key?: string): Promise<string> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 100, ...more }, headers));
}

async function paid(account: Account, more: object): Promise<string> {
  const id = await charge(account, more);
  await payCharge(trilho, account.apiKey, id);
  return id;
}

const wholeText = () => openWholeDatabase(trilho.deps.db.pool, trilho.deps.secretBox);
const found = (text: string, words = WORDS) => words.filter((word) => text.toLowerCase().includes(word.toLowerCase()));

/** Erases at another time, as the owner in whose name `panel` calls. */
function eraseAt(account: Account, customerId: string, now: Date) {
  const deps = { ...trilho.deps, clock: () => now };
  const member = { kind: 'member', memberId: account.accountId, merchantId: account.merchantId } as never;
  const who = { member, origin: { ipAddress: null, userAgent: null }, accountId: account.accountId };
  return eraseCustomer(deps, account.accountId, {
    ...{ customerId, reason: 'Protocolo 9' },
    entryOf: (...act) => memberEntry(deps, who, ...act),
  });
}

/** Every row of the ledger and of its proof, by table. */
async function books(): Promise<string[]> {
  const tables = ['ledger_transfers', 'ledger_entries', 'ledger_accounts', 'invoice_increments'];
  const rows: string[] = [];
  for (const table of [...tables, 'ledger_chains', 'ledger_seals', 'ledger_heads']) {
    const found = await trilho.deps.db.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
    rows.push(...found.rows.map(({ row }) => `${table} ${row}`));
  }
  return rows;
}

test('an export has everything that is stored about a person in this account, and nothing of anybody else', async () => {
  const account = await open();
  const { chargeId } = await disputedCharge(trilho, account.apiKey, 60, { ...PERSON, description: 'Pedido 60' });
  const refunded = await paid(account, { ...PERSON, amount: 300, description: 'Pedido 300' });
  await account.panel.transactions.refund({ transactionId: refunded, amount: 5, description: 'Devolvexo' });
  const withdrawal = { amount: 5, pixKey: PERSON.customerDocument, pixKeyType: 'CPF', description: 'Saquarex' };
  expect((await trilho.post('/payments/transfers/pix', account.apiKey, withdrawal)).status).toBe(200);
  await account.panel.addressBook.addPixKey({
    ...{ label: 'Xiro', pixKey: PERSON.customerDocument, pixKeyType: 'CPF' },
  });
  await charge(account, OTHER);
  const stranger = await open();
  await charge(stranger, { ...PERSON, description: 'De outra conta' });

  const { name, text } = await account.panel.customers.export({ customer_id: chargeId });
  const file = JSON.parse(text);
  expect(name).toMatch(/^cliente-\d{4}-\d\d-\d\d-teste\.json$/);
  expect(file).toMatchObject({ document: PERSON.customerDocument, address_book: [{ label: 'Xiro' }] });
  const { transactions } = file as { transactions: Record<string, unknown>[] };
  expect(transactions).toHaveLength(3);
  expect(transactions.find(({ transaction_id: id }) => id === chargeId)).toMatchObject({
    payer: { name: PERSON.customerName, email: PERSON.customerEmail, phone: '+5521973150846' },
    disputes: [{ reason: 'fraud', amount: 60 }],
    erasable_from: expect.stringMatching(/^\d{4}-01-01$/),
  });
  expect(transactions.find(({ transaction_id: id }) => id === refunded)).toMatchObject({
    settled: { gross: 300 },
    refunds: [{ amount: 5, description: 'Devolvexo' }],
  });
  expect(transactions.find(({ type }) => type === 'pix_out')).toMatchObject({
    description: 'Saquarex',
    receiver: { pix_key: PERSON.customerDocument },
  });
  expect(found(text, ['Outrem', '52998224725', 'outra conta'])).toEqual([]);
  expect(await noted(account)).toContainEqual({ action: 'customer.exported', details: { subject: chargeId } });

  // The operator's command has the same, however the ids are typed.
  const to = join(trilho.home, 'cliente.json');
  const variables = { DATABASE_URL: trilho.databaseUrl, DEMO: 'true', MASTER_KEYS: trilho.masterKeys };
  for (const [variable, value] of Object.entries({ ...variables, TRILHO_HOME: trilho.home }))
    vi.stubEnv(variable, value);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  const typed = ['customer', 'export', account.accountId.toUpperCase(), chargeId.toUpperCase(), '--to', to];
  await createProgram().parseAsync(typed, { from: 'user' });
  vi.unstubAllEnvs();
  print.mockRestore();
  expect(JSON.parse(readFileSync(to, 'utf8'))).toMatchObject({
    account_id: account.accountId,
    address_book: file.address_book,
    transactions: transactions.map(({ transaction_id }) => ({ transaction_id })),
  });
});

test('the refunds of an exported transaction, also those made at the bank, add up to what went back to the person', async () => {
  const account = await open();
  const chargeId = await paid(account, { ...PERSON, amount: 300 });
  await account.panel.transactions.refund({ transactionId: chargeId, amount: 5 });
  await trilho.until('the refund is done', async () => {
    const { transaction } = await account.panel.detail.get({ transaction_id: chargeId });
    return transaction.refunded_amount === 5 || null;
  });
  await refundAtBank(chargeId, 7_00n);
  const { text } = await account.panel.customers.export({ customer_id: chargeId });
  expect(JSON.parse(text).transactions).toMatchObject([
    {
      settled: { refunded: 12 },
      refunds: [
        { amount: 5, status: 'completed' },
        { amount: 7, status: 'completed', description: null },
      ],
    },
  ]);
});

test('an exported transaction has what the person paid that is, or was, in review', async () => {
  const account = await open();
  const chargeId = await charge(account, { ...PERSON, amount: 300 });
  await trilho.pay(chargeId, { amount: '299.99' });
  const [review] = await trilho.until('the payment is in review', async () => {
    const { transaction } = await account.panel.detail.get({ transaction_id: chargeId });
    return transaction.reviews.length > 0 ? transaction.reviews : null;
  });
  const { text } = await account.panel.customers.export({ customer_id: chargeId });
  expect(JSON.parse(text).transactions).toMatchObject([{ settled: { gross: 0 }, reviews: [review] }]);
  expect(review).toMatchObject({ received_amount: 299.99, end_to_end_id: expect.any(String), resolved_at: null });
});

async function refundAtBank(chargeId: string, centavos: bigint): Promise<void> {
  const { pool } = trilho.deps.db;
  const charge = await findCharge(pool, chargeId);
  if (!charge?.endToEndId) throw new Error(`Charge ${chargeId} is not paid.`);
  const now = trilho.deps.clock();
  const { rail, endToEndId } = charge;
  const id = uuidv7(now);
  const made = { refundId: id, returnId: null, kind: 'made_at_bank' as const, centavos, at: now };
  const refund = { id, rail, endToEndId, ...made };
  const eventId = uuidv7(now);
  const event = { eventId, eventType: 'pix_in.refunded', eventBody: sealEventBody(trilho.deps, eventId, '{}') };
  expect(await recordForeignRefund(pool, refund, { ...charge, ...event }, now)).toBe('booked');
}

async function noted({ accountId }: Account): Promise<{ action: string; details: object }[]> {
  const { rows } = await trilho.deps.db.pool.query<{ action: string; details: object }>(
    "SELECT action, details FROM audit_records WHERE account_id = $1 AND action LIKE 'customer.%' ORDER BY id",
    [accountId],
  );
  return rows;
}

test('an unpaid charge is erased at once, and a paid one is kept until the day that the plan names', async () => {
  const account = await open();
  const kept = await paid(account, PERSON);
  const erased = await charge(account, PERSON, 'pedido-1');
  const year = Number(dateInSaoPaulo(new Date()).slice(0, 4));
  const from = `${year + 11}-01-01`;
  const retained = { retained: [{ from, count: 1 }], retention_years: 10 };
  expect(await account.panel.customers.erasure({ customer_id: kept })).toEqual({ erasable: 1, ...retained });

  const input = { customer_id: erased, reason: ' Protocolo 7 ' };
  expect(await account.panel.customers.erase(input)).toEqual({
    ...{ erased: 1, erasable: 0, customer_id: kept, ...retained },
  });
  const { transaction } = await account.panel.detail.get({ transaction_id: erased });
  expect(transaction).toMatchObject({ customer: null, description: null, amount: 100 });
  expect(await account.panel.customers.get({ customer_id: kept })).toMatchObject({ count: 1, paid: 100 });
  // The response that is replayed for a repeated request does not name them either.
  const again = await trilho.post(
    '/payments/transactions',
    account.apiKey,
    { amount: 100, ...PERSON },
    {
      'idempotency-key': 'pedido-1',
    },
  );
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, expect.anything()]);
  expect(again.body.data).toMatchObject({ transaction_id: erased, customer: { name: null, document: null } });
  expect(found(again.text)).toEqual([]);

  // Again: nothing is left to erase.
  await expect(account.panel.customers.erase({ ...input, customer_id: kept })).rejects.toMatchObject({
    cause: { code: 'customer_retained', params: { from } },
  });
  expect(await noted(account)).toEqual([
    { action: 'customer.erased', details: { subject: erased, transactions: 1, reason: 'Protocolo 7' } },
  ]);
});

test('a charge that was erased is settled when it is paid late, and shows no payer', async () => {
  const account = await open();
  const id = await charge(account, PERSON);
  await account.panel.customers.erase({ customer_id: id, reason: 'Pedido da pessoa' });
  await payCharge(trilho, account.apiKey, id);
  const { transaction } = await account.panel.detail.get({ transaction_id: id });
  expect(transaction).toMatchObject({ customer: null, settled: { gross: 100 } });
  expect((await account.panel.customers.list({})).customers).toEqual([]);
  expect((await checkLedger(trilho.deps.db.pool)).discrepancies).toEqual([]);
});

test('a withdrawal that may still be sent is not erased', async () => {
  const account = await open();
  const kept = await paid(account, { ...OTHER, amount: 500 });
  const id = await charge(account, PERSON);
  const body = {
    ...{ amount: 5, pixKey: PERSON.customerDocument, pixKeyType: 'CPF' },
    scheduledFor: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  };
  const { body: made } = await trilho.post('/payments/transfers/pix', account.apiKey, body);
  const { transaction_id: scheduled } = made.data as { transaction_id: string };
  const { erased } = await account.panel.customers.erase({ customer_id: id, reason: 'Pedido' });
  expect(erased).toBe(1);
  const { transaction } = await account.panel.detail.get({ transaction_id: scheduled });
  expect(transaction.pix?.pix_key).toBe('***.533.447-**');
  expect(await account.panel.customers.get({ customer_id: kept })).toMatchObject({ paid: 500 });
});

test('the answer that is kept for a form of the panel does not name them either', async () => {
  const account = await open();
  const { browser } = await openMember(trilho, 'dona@lojaxiro.example', { merchantId: account.merchantId });
  const create = () =>
    browser.post('/api/trpc/test/charges.create', { amount: 100, ...PERSON }, { 'idempotency-key': 'f' });
  const first = await create();
  expect(found(first.text)).toEqual(WORDS);
  const { transaction_id: id } = (first.body as Created).result.data.data;
  await account.panel.customers.erase({ customer_id: id, reason: 'Pedido' });
  const again = await create();
  expect([again.status, (again.body as Created).result.data.data]).toMatchObject([
    200,
    { transaction_id: id, amount: 100, customer: { name: null, document: null }, description: null },
  ]);
  expect(found(again.text)).toEqual([]);
});

type Created = { result: { data: { data: { transaction_id: string } } } };

test('the answer to a withdrawal that was cancelled before its date does not say whose key it was', async () => {
  const account = await open();
  const body = {
    ...{ amount: 5, pixKey: PERSON.customerDocument, pixKeyType: 'CPF', description: PERSON.description },
    scheduledFor: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  };
  const ask = () => trilho.post('/payments/transfers/pix', account.apiKey, body, { 'idempotency-key': 'saque-1' });
  const id = transactionIdOf(await ask());
  await account.panel.withdrawals.cancelPix({ transactionId: id });
  expect(await account.panel.customers.erase({ customer_id: id, reason: 'Pedido' })).toMatchObject({ erased: 1 });
  const again = await ask();
  expect([again.status, again.body.data]).toMatchObject([200, { transaction_id: id, amount: 5, pix_key: '***' }]);
  expect(found(again.text)).toEqual([]);
});

test('the built-in receiver of webhooks keeps no event that says what they were to pay', async () => {
  const account = await open();
  await account.panel.webhooks.setTestReceiver();
  const id = await charge(account, PERSON);
  await account.panel.transactions.cancel({ transactionId: id });
  const received = async () => JSON.stringify((await account.panel.webhooks.received()).received);
  await trilho.until('the event has arrived', async () => ((await received()).includes(id) ? true : null));
  expect(found(await received(), ['Frombulax'])).toEqual(['Frombulax']);
  await account.panel.customers.erase({ customer_id: id, reason: 'Pedido' });
  expect(found(await received(), ['Frombulax'])).toEqual([]);
});

test('an account whose test clock is ahead keeps no answer that names them', async () => {
  const account = await open();
  await trilho.post('/test-clock/advance', account.apiKey, { by: '40d' });
  await trilho.until('the clock has arrived', async () => {
    const { body } = await trilho.get('/test-clock', account.apiKey);
    return (body.data as { target: string | null }).target === null ? true : null;
  });
  const ask = () =>
    trilho.post('/payments/transactions', account.apiKey, { amount: 100, ...PERSON }, { 'idempotency-key': 'p' });
  const id = transactionIdOf(await ask());
  const { browser } = await openMember(trilho, 'dono@lojaxiro.example', { merchantId: account.merchantId });
  const { code } = await setUpAuthenticator(browser);
  expect(await browser.call('session.confirm', { code: await code(1) })).toMatchObject({ status: 200 });
  expect(await browser.call('customers.erase', { customer_id: id, reason: 'Pedido' })).toMatchObject({ status: 200 });
  expect(found((await ask()).text)).toEqual([]);
});

/** Somebody whom no other test knows, so that the whole database can be searched for them. */
const GONE = {
  customerName: 'Wolkova Brintmax',
  customerEmail: 'klemtor@dravixo.example',
  customerPhone: '31984627105',
  customerDocument: '11144477735',
  customerDocumentType: 'cpf',
  description: 'Quabbalon verde',
  reference: 'Trambolux-7',
  metadata: { quem: 'Fizquandor' },
};
const TRACES = [
  'Wolkova',
  'Brintmax',
  'klemtor',
  '984627105',
  GONE.customerDocument,
  'Quabbalon',
  'Trambolux',
  'Fizquandor',
];

/** Stores everything that may be stored about them; returns the id of a charge of theirs. */
async function leaveTraces(account: Account): Promise<string> {
  const { panel } = account;
  const { db, secretBox } = trilho.deps;
  const refunded = await paid(account, { ...GONE, amount: 900 });
  await panel.transactions.refund({
    ...{ transactionId: refunded, amount: 5, description: 'Devolvido a Wolkova' },
    ...{ reference: 'Trambolux-9', metadata: { quem: 'Fizquandor' } },
  });
  await charge(account, GONE, 'pedido-2');
  const { disputeId } = await disputedCharge(trilho, account.apiKey, 60, GONE);
  await panel.disputes.answer({ disputeId, answer: 'contest', text: 'Brintmax recebeu.' });
  await db.pool.query('UPDATE disputes SET payer_document = $2, payer_document_index = $3 WHERE id = $1', [
    disputeId,
    secretBox.seal(GONE.customerDocument, sealContext('disputes.payer_document', { id: disputeId })),
    secretBox.fingerprint(GONE.customerDocument, CUSTOMER_DOCUMENT_INDEX),
  ]);
  await panel.addressBook.addPixKey({ label: 'Wolkova', pixKey: GONE.customerDocument, pixKeyType: 'CPF' });
  const payee = (await panel.payees.list({})).data[0]?.payee_id ?? '';
  await panel.addressBook.remove({ payee_id: payee });
  await trilho.until('the calls to the provider are noted', async () => {
    const { provider_calls: calls } = await panel.detail.get({ transaction_id: refunded });
    return calls.length > 0 ? true : null;
  });
  return refunded;
}

async function payBatch({ panel }: Account): Promise<string> {
  const lines = [`5,00;${GONE.customerDocument};CPF;Quabbalon;Trambolux-8`, '7,00;outra@example.com;EMAIL;Fica;Fica-1'];
  const { batch_id: id } = await panel.batches.make({
    file: ['valor;chave;tipo_chave;descricao;referencia', ...lines].join('\n'),
  });
  await trilho.until('the batch is done', async () => {
    const { sums } = await panel.batches.get({ batch_id: id });
    return sums.sent.count === 2 ? true : null;
  });
  return id;
}

/** Fingerprints and tokens of theirs that an account may have, as a dump shows them. */
function printsOf(accountId: string): string[] {
  const { secretBox } = trilho.deps;
  const { customerDocument: document, customerName } = GONE;
  const phone = `+55${GONE.customerPhone}`;
  const prints = [
    secretBox.fingerprint(document, CUSTOMER_DOCUMENT_INDEX),
    secretBox.fingerprint(pixKeyOfAccount(accountId, document), PIX_KEY_INDEX),
  ];
  const tokens = searchTokens(secretBox, accountId, { words: [customerName], phone });
  return [...prints.map((print) => print.toString('hex')), ...tokens.map(String)];
}

// ASVS 14.2.7
test('once the retention has ended no table says who somebody was, sealed or not, and the books are as they were', async () => {
  const account = await open();
  const { accountId, panel } = account;
  const { pool } = trilho.deps.db;
  const other = await paid(account, OTHER);
  const customerId = await leaveTraces(account);
  const batchId = await payBatch(account);
  // By then these are deleted: callbacks after 90 days, the log of requests after seven.
  await trilho.until('every callback is processed', async () => {
    const { rowCount } = await pool.query('SELECT FROM inbound_callbacks WHERE processed_at IS NULL');
    return rowCount === 0 ? true : null;
  });
  // Requests are written down in their order, a moment after their answers.
  await trilho.get('/payments/balance', account.apiKey);
  await trilho.until('every request is in the log', async () => {
    const last = "SELECT FROM request_records WHERE account_id = $1 AND path = '/payments/balance'";
    return (await pool.query(last, [accountId])).rowCount || null;
  });
  while ((await deleteOldCallbacks(pool, MUCH_LATER, 1_000)) > 0);
  while ((await deleteRequestRecords(pool, MUCH_LATER, 1_000)) > 0);
  const before = await wholeText();
  expect(found(before, TRACES)).toEqual(TRACES);
  expect(found(before, printsOf(accountId))).toEqual(printsOf(accountId));

  const booked = await books();
  const later = { ...trilho.deps, clock: () => MUCH_LATER };
  expect(await planErasure(later, accountId, customerId)).toEqual({ erasable: 4, retained: [] });
  expect(await eraseAt(account, customerId, MUCH_LATER)).toMatchObject({ erased: 4, customerId: null });

  const after = await wholeText();
  expect(found(after, [...TRACES, ...printsOf(accountId)])).toEqual([]);
  // Entries that are sealed meanwhile are added.
  expect(await books()).toEqual(expect.arrayContaining(booked));
  expect((await checkLedger(pool)).discrepancies).toEqual([]);
  await expect(panel.customers.get({ customer_id: customerId })).rejects.toMatchObject({
    cause: { code: 'customer_not_found' },
  });
  expect((await panel.batches.get({ batch_id: batchId })).rows).toMatchObject([
    { amount: 5, pix_key: ERASED, description: null, reference: null },
    { amount: 7, pix_key: 'outra@example.com', description: 'Fica', reference: 'Fica-1' },
  ]);
  expect(await panel.customers.get({ customer_id: other })).toMatchObject({ name: OTHER.customerName, paid: 100 });
});

test('a row of a batch that waits for its approval is not erased: it still has to be paid', async () => {
  const account = await open();
  const { panel, accountId } = account;
  const id = await charge(account, PERSON);
  await awaitApprovalOfAll(trilho.deps.db.pool, { id: accountId });
  const file = ['valor;chave;tipo_chave;descricao', `7,00;${PERSON.customerDocument};CPF;Frombulax`].join('\n');
  const { batch_id: batchId } = await panel.batches.make({ file });
  await panel.transactions.cancel({ transactionId: id });
  await panel.customers.erase({ customer_id: id, reason: 'Pedido' });
  const { state, rows } = await panel.batches.get({ batch_id: batchId });
  expect([state, rows]).toMatchObject(['pending_approval', [{ amount: 7, description: 'Frombulax' }]]);
});

test('a row of a batch that was rejected is in the copy, is erased at once, and its file still pays nobody twice', async () => {
  const account = await open();
  const { panel } = account;
  await paid(account, OTHER);
  const id = await charge(account, PERSON);
  const lines = ['7,00;outra@example.com;EMAIL;Fica', `5000,00;${PERSON.customerDocument};CPF;Frombulax de novo`];
  const file = ['valor;chave;tipo_chave;descricao', ...lines].join('\n');
  const { batch_id: batchId } = await panel.batches.make({ file });
  await trilho.until('the batch is done', async () => {
    const { sums } = await panel.batches.get({ batch_id: batchId });
    return sums.sent.count + sums.failed.count === 2 ? true : null;
  });
  const { text } = await panel.customers.export({ customer_id: id });
  expect(JSON.parse(text).rows_of_batches).toMatchObject([
    { batch_id: batchId, row: 2, amount: 5000, description: 'Frombulax de novo', failure: 'insufficient_funds' },
  ]);
  await panel.transactions.cancel({ transactionId: id });
  await panel.customers.erase({ customer_id: id, reason: 'Pedido' });
  expect((await panel.batches.get({ batch_id: batchId })).rows).toMatchObject([
    { pix_key: 'outra@example.com', description: 'Fica' },
    { amount: 5000, pix_key: ERASED, description: null },
  ]);
  expect(await panel.batches.make({ file })).toMatchObject({ batch_id: batchId });
});

test('a withdrawal names the person whose CPF it was sent to, also when no charge of theirs is left', async () => {
  const account = await open();
  await paid(account, OTHER);
  const body = { amount: 5, pixKey: PERSON.customerDocument, pixKeyType: 'CPF' };
  const { body: made } = await trilho.post('/payments/transfers/pix', account.apiKey, body);
  const { transaction_id: id } = made.data as { transaction_id: string };
  const { text } = await account.panel.customers.export({ customer_id: id });
  expect(JSON.parse(text)).toMatchObject({ transactions: [{ transaction_id: id }] });
  expect(await eraseAt(account, id, MUCH_LATER)).toMatchObject({ erased: 1 });
  const { transaction } = await account.panel.detail.get({ transaction_id: id });
  expect(transaction).toMatchObject({ type: 'pix_out', pix: { pix_key: '***' } });
});

test('whom a transaction names without a CPF or CNPJ is found by the PIX key that it was sent to, else in this transaction alone', async () => {
  const account = await open();
  const { panel, apiKey } = account;
  await paid(account, OTHER);
  const { customerDocument: _, customerDocumentType: __, ...named } = PERSON;
  const [first, second] = [await charge(account, named), await charge(account, named)];
  const sendTo = async (pixKey: string) => {
    const body = { amount: 5, pixKey, pixKeyType: 'EMAIL', description: 'Frombulax' };
    return transactionIdOf(await trilho.post('/payments/transfers/pix', apiKey, body));
  };
  const sent = [await sendTo(PERSON.customerEmail), await sendTo(PERSON.customerEmail)];
  const other = await sendTo('outra@example.com');
  const { pool } = trilho.deps.db;
  await trilho.until('they are paid', async () => {
    const { rows } = await pool.query(`SELECT FROM transactions WHERE id = ANY ($1) AND status = 'paid'`, [sent]);
    return rows.length === 2 ? true : null;
  });
  await panel.addressBook.addPixKey({ label: 'Xiro', pixKey: PERSON.customerEmail, pixKeyType: 'EMAIL' });
  const copyOf = async (id = '') => JSON.parse((await panel.customers.export({ customer_id: id })).text);
  const idsIn = ({ transactions }: { transactions: { transaction_id: string }[] }) =>
    transactions.map(({ transaction_id: id }) => id).sort();

  const byKey = await copyOf(sent[0]);
  expect(byKey).toMatchObject({ document: null, pix_key: PERSON.customerEmail, address_book: [{ label: 'Xiro' }] });
  expect(idsIn(byKey)).toEqual([...sent].sort());
  const alone = await copyOf(first);
  expect(alone).toMatchObject({ document: null, pix_key: null, address_book: [], rows_of_batches: [] });
  expect(alone).toMatchObject({ transactions: [{ payer: { name: PERSON.customerName, document: null } }] });
  expect(idsIn(alone)).toEqual([first]);
  await expect(panel.customers.get({ customer_id: first })).rejects.toThrow();

  expect(await panel.customers.erase({ customer_id: first, reason: 'Pedido' })).toMatchObject({
    ...{ erased: 1, erasable: 0, retained: [] },
  });
  await expect(copyOf(first)).rejects.toThrow();
  expect(idsIn(await copyOf(second))).toEqual([second]);
  expect(await eraseAt(account, sent[1] ?? '', MUCH_LATER)).toMatchObject({ erased: 2, customerId: null });
  await expect(copyOf(sent[0])).rejects.toThrow();
  // A provider that says late who it was.
  const name = trilho.deps.secretBox.seal('Xiromera', sealContext('transactions.receiver_name', { id: sent[0] ?? '' }));
  await pool.query('UPDATE transactions SET receiver_name = $2 WHERE id = $1', [sent[0], name]);
  expect(await copyOf(sent[0])).toMatchObject({ pix_key: null, transactions: [{ transaction_id: sent[0] }] });
  expect(await copyOf(other)).toMatchObject({ pix_key: 'outra@example.com' });
});
