import { createHmac } from 'node:crypto';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import { cryptoCallbackUrl, pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import { sandboxCryptoKey } from '../../src/config/sandbox-account.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { ask } from '../answers.ts';
import type { Arena, Subject } from '../subject.ts';

const PIX_RAIL = 'sandbox';
const CRYPTO_RAIL = 'sandbox-crypto';

/** Transactions of two merchants that a forger would like to see paid, refunded or given back. */
type Targets = {
  accounts: string[];
  pending: string[];
  paid: { id: string; endToEndId: string };
  invoice: { id: string; providerId: string };
  withdrawal: string;
};

/**
 * Callbacks that no provider sent, or that are untrue: money moves only by what the provider
 * answers when it is asked.
 */
export const callbacks: Subject = {
  name: 'callbacks',
  async run(arena) {
    const service = await arena.start({ variables: { DEMO: 'true' } });
    const targets = await openTargets(service);
    const before = await moneyOf(service, targets);
    await attackWithWrongTokens(arena, service, targets);
    await attackPix(arena, service, targets);
    await attackCrypto(arena, service, targets);
    const tally = arena.attack('money and states afterwards');
    await service.until('every callback is processed', async () => {
      const { rows } = await service.deps.db.pool.query(
        'SELECT count(*)::int AS open FROM inbound_callbacks WHERE processed_at IS NULL',
      );
      return rows[0].open === 0 || null;
    });
    const after = await moneyOf(service, targets);
    for (const [what, value] of Object.entries(before)) {
      tally(what, after[what] === value ? null : `${value} became ${after[what]}`);
    }
  },
};

async function openTargets(service: TestService): Promise<Targets> {
  const [one, two] = [await service.openAccount(), await service.openAccount()];
  const make = async (apiKey: string, path: string, body: object) => {
    const answer = await service.post(path, apiKey, body);
    const id = (answer.body.data as { transaction_id?: string } | undefined)?.transaction_id;
    if (!id) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return id;
  };
  const charge = (apiKey: string, amount: number) => make(apiKey, '/payments/transactions', { amount });
  const pending = [await charge(one.apiKey, 100), await charge(two.apiKey, 200)];
  const paid = await charge(one.apiKey, 300);
  await service.pay(paid);
  const row = async (id: string) =>
    (
      await service.deps.db.pool.query('SELECT status, end_to_end_id, provider_id FROM transactions WHERE id = $1', [
        id,
      ])
    ).rows[0];
  await service.until('the charge is paid', async () => ((await row(paid)).status === 'paid' ? true : null));
  const invoice = await make(one.apiKey, '/payments/deposits/crypto', { amount: 150, currency: 'BTC' });
  // Sent, and its outcome is not known yet.
  await service.setSwitch('pix.query', 'error');
  await service.setSwitch('pix.payout', 'silent_lost');
  const withdrawal = await make(one.apiKey, '/payments/transfers/pix', {
    amount: 50,
    pixKey: 'a@example.com',
    pixKeyType: 'EMAIL',
  });
  await service.setSwitch('pix.query', 'ok');
  return {
    accounts: [one.accountId, two.accountId],
    pending,
    paid: { id: paid, endToEndId: (await row(paid)).end_to_end_id },
    invoice: { id: invoice, providerId: (await row(invoice)).provider_id },
    withdrawal,
  };
}

/**
 * The state that a forged callback must not change. It leaves the withdrawal out, which ends by
 * itself when the provider is asked, and not by a callback.
 */
async function moneyOf(service: TestService, targets: Targets): Promise<Record<string, string>> {
  const { pool } = service.deps.db;
  const states = await pool.query<{ id: string; state: string }>(
    `SELECT id, concat_ws(' ', status, sub_status, refunded_centavos) AS state FROM transactions WHERE id = ANY($1)`,
    [[...targets.pending, targets.paid.id, targets.invoice.id]],
  );
  const balances = await pool.query<{ id: string; balance: string }>(
    `SELECT account_id || ' pending' AS id, balance_centavos::text AS balance FROM ledger_accounts
       WHERE account_id = ANY($1) AND kind::text LIKE '%pending%'
     UNION ALL
     SELECT account_id || ' available and blocked', sum(balance_centavos)::text FROM ledger_accounts
       WHERE account_id = ANY($1) AND kind::text NOT LIKE '%pending%' GROUP BY account_id`,
    [targets.accounts],
  );
  const { rows } = await pool.query('SELECT count(*)::text AS count FROM reviews');
  return Object.fromEntries([
    ...states.rows.map(({ id, state }) => [id, state]),
    ...balances.rows.map(({ id, balance }) => [id, balance]),
    ['reviews', rows[0].count],
  ]);
}

const post = (url: string, body: string) =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** A callback to a wrong address is rejected. */
async function attackWithWrongTokens(arena: Arena, service: TestService, targets: Targets): Promise<void> {
  const tally = arena.attack('callbacks to made-up addresses');
  const box = service.deps.secretBox;
  const right = pixCallbackUrl(service.url, box, PIX_RAIL);
  const token = right.split('/').at(-1) ?? '';
  const other = cryptoCallbackUrl(service.url, box, CRYPTO_RAIL).split('/').at(-1) ?? '';
  const body = pixBody([{ endToEndId: endToEndId(arena), txid: uuidToTxid(targets.pending[0] ?? '') }]);
  const tokens = [
    'x',
    '',
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase(),
    token.toUpperCase(),
    other,
    'A'.repeat(token.length),
    `${token}%00`,
    `${token}/..`,
    'sandbox',
  ];
  for (const wrong of tokens.filter((text) => text !== token)) {
    for (const url of [
      `${service.url}/inbound/pix/${PIX_RAIL}/${wrong}/pix`,
      `${service.url}/inbound/crypto/${CRYPTO_RAIL}/${wrong === other ? token : wrong}`,
      `${service.url}/inbound/pix/psp/${wrong}/pix`,
    ]) {
      const answer = await post(url, body);
      tally(url, answer.status === 401 || answer.status === 404 ? null : `${answer.status}`);
    }
  }
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await ask(`${right}/pix`, { method });
    tally(`${method} at the right address`, answer.status === 405 ? null : `${answer.status}`);
  }
  const huge = await post(`${right}/pix`, `{"pix":"${'a'.repeat(1_100_000)}"}`);
  tally('a body above a MiB', huge.status === 413 ? null : `${huge.status}`);
}

const pixBody = (pix: unknown) => JSON.stringify({ pix });

/** An id in the central bank's format that no payment has. */
const endToEndId = (arena: Arena) =>
  `E99999999${'202611191500'}${String(Math.floor(arena.random() * 1e11)).padStart(11, '0')}`;

/** A forger who has learnt the address is not believed either. */
async function attackPix(arena: Arena, service: TestService, targets: Targets): Promise<void> {
  const tally = arena.attack('forged PIX callbacks to the right address');
  const url = `${pixCallbackUrl(service.url, service.deps.secretBox, PIX_RAIL)}/pix`;
  const { paid, pending, withdrawal } = targets;
  const txid = uuidToTxid(pending[0] ?? '');
  const bodies: [string, string][] = [
    ['a payment that was not made', pixBody([{ endToEndId: endToEndId(arena), txid, valor: '100.00' }])],
    ['a payment of another amount', pixBody([{ endToEndId: endToEndId(arena), txid, valor: '0.01' }])],
    ["another merchant's payment for this charge", pixBody([{ endToEndId: paid.endToEndId, txid, valor: '300.00' }])],
    [
      'a payment of a charge that does not exist',
      pixBody([{ endToEndId: endToEndId(arena), txid: uuidToTxid(uuidv7(new Date(0))) }]),
    ],
    ['a payment without a charge', pixBody([{ endToEndId: endToEndId(arena) }])],
    [
      'a refund that was not requested',
      pixBody([
        {
          endToEndId: paid.endToEndId,
          txid: uuidToTxid(paid.id),
          devolucoes: [{ id: uuidToTxid(uuidv7(new Date(0))), status: 'DEVOLVIDO', valor: '300.00' }],
        },
      ]),
    ],
    [
      'a withdrawal that was done',
      pixBody([{ endToEndId: endToEndId(arena), gnExtras: { idEnvio: uuidToTxid(withdrawal), status: 'REALIZADO' } }]),
    ],
    ["a withdrawal under a charge's id", pixBody([{ gnExtras: { idEnvio: txid }, status: 'NAO_REALIZADO' }])],
    ['all at once', pixBody(pending.map((id) => ({ endToEndId: endToEndId(arena), txid: uuidToTxid(id) })))],
    ['no JSON', 'pix=1'],
    ['lists in lists', '['.repeat(5_000)],
    ['a NUL', '{"pix":[{"endToEndId":"\\u0000"}]}'],
    ['SQL', pixBody([{ endToEndId: "'; DROP TABLE transactions; --", txid }])],
    ['ten thousand notices', pixBody(Array.from({ length: 10_000 }, () => ({ endToEndId: endToEndId(arena), txid })))],
  ];
  for (const [what, body] of bodies) {
    const answer = await post(url, body);
    tally(what, answer.status < 500 ? null : `${answer.status}: ${answer.text.slice(0, 120)}`);
  }
  // A true callback, many times at once.
  const replay = pixBody([{ endToEndId: paid.endToEndId, txid: uuidToTxid(paid.id), valor: '300.00' }]);
  const answers = await Promise.all(Array.from({ length: arena.times(30, 200) }, () => post(url, replay)));
  tally(
    'a true one, many times at once',
    answers.some(({ status }) => status >= 500 && status !== 503) ? 'answered 5xx' : null,
  );
}

async function attackCrypto(arena: Arena, service: TestService, targets: Targets): Promise<void> {
  const tally = arena.attack('forged Plisio callbacks to the right address');
  const url = cryptoCallbackUrl(service.url, service.deps.secretBox, CRYPTO_RAIL);
  const right = sandboxCryptoKey(service.deps.secretBox);
  const { invoice, pending } = targets;
  const lie = {
    txn_id: invoice.providerId,
    order_number: invoice.id,
    status: 'completed',
    amount: '1.00000000',
    currency: 'BTC',
    confirmations: '9',
    source_amount: '150.00',
    source_currency: 'BRL',
  };
  const hashed = (fields: Record<string, string>, key: string) => {
    const sorted = Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
    return { ...sorted, verify_hash: createHmac('sha1', key).update(JSON.stringify(sorted)).digest('hex') };
  };
  const bodies: [string, string][] = [
    ['without a hash', JSON.stringify(lie)],
    ['an empty hash', JSON.stringify({ ...lie, verify_hash: '' })],
    ['a hash of zeros', JSON.stringify({ ...lie, verify_hash: '0'.repeat(40) })],
    ['hashed with another key', JSON.stringify(hashed(lie, `${right}x`))],
    ['hashed with no key', JSON.stringify(hashed(lie, ''))],
    ['changed after it was hashed', JSON.stringify({ ...hashed(lie, right), amount: '2.00000000' })],
    ['two hashes', JSON.stringify(hashed(lie, right)).replace('{', `{"verify_hash":"${'0'.repeat(40)}",`)],
    ['a list for a hash', JSON.stringify({ ...lie, verify_hash: ['0'.repeat(40)] })],
    // With a stolen key: the provider is asked about what the callback says.
    ['rightly hashed, and untrue', JSON.stringify(hashed(lie, right))],
    ['rightly hashed, of a PIX charge', JSON.stringify(hashed({ ...lie, order_number: pending[0] ?? '' }, right))],
    [
      'rightly hashed, of nothing',
      JSON.stringify(hashed({ ...lie, order_number: uuidv7(new Date(0)), txn_id: 'a'.repeat(24) }, right)),
    ],
    [
      'rightly hashed, on __proto__',
      JSON.stringify(hashed(lie, right)).replace('{', '{"__proto__":{"status":"completed"},'),
    ],
  ];
  for (const [what, body] of bodies) {
    const answers = await Promise.all(Array.from({ length: arena.times(2, 20) }, () => post(url, body)));
    tally(what, answers.every(({ status }) => status < 500) ? null : `${answers.map(({ status }) => status)}`);
  }
}
