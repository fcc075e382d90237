import type { Permission } from '#domain/api-keys/permissions.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { HOSTILE_TEXTS } from '../../fuzz/hostile-values.ts';
import { leakPattern } from '../../fuzz/judge-answer.ts';
import { addMember } from '../../src/db/testing/add-member.ts';
import { panelCaller } from '../../src/testing/panel-caller.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import { ask, leakIn, type RawAnswer } from '../answers.ts';
import { bookDiscrepancies } from '../money/books.ts';
import type { Arena, Subject } from '../subject.ts';

/** The caps of each merchant's assistant, in reais. */
const CAPS = { call_cap: 50, day_cap: 120 };
const FUNDS = 900;
const ALL: Permission[] = ['mcp:use', 'mcp:withdraw', 'charges:write', 'transactions:read', 'balance:read'];

type Merchant = {
  accountId: string;
  /** A key of a system: it may do everything but act as an assistant. */
  apiKey: string;
  /** A key of an assistant. */
  assistantKey: string;
  charge: string;
  canary: string;
  /** Has its member decline whatever waits. */
  decline(): Promise<void>;
};

type Tool = { name: string; inputSchema: { properties: Record<string, unknown>; required: string[] } };

/**
 * An assistant that obeys strangers, and strangers who got hold of its key or its messages: they
 * can do no more than its tools do, within its caps.
 */
export const assistants: Subject = {
  name: 'assistants',
  async run(arena) {
    // The long form calls with more arguments in a minute than a key may, and none is to be spared.
    const service = await arena.start({ variables: { RATE_LIMIT_PER_KEY: '1000000' } });
    const [attacker, victim] = [await openMerchant(service, 'mallory'), await openMerchant(service, 'alice')];
    const before = await toolsOf(service, attacker.assistantKey);
    await attackWithKeys(arena, service, attacker, victim);
    await attackWithMessages(arena, service, attacker);
    await attackWithArguments(arena, service, attacker, victim);
    await attackOtherTenants(arena, service, attacker, victim);
    await attackCaps(arena, service, attacker);
    const tally = arena.attack('tools and money afterwards');
    const after = await toolsOf(service, attacker.assistantKey);
    tally('the list of tools', JSON.stringify(after) === JSON.stringify(before) ? null : 'it is another one');
    for (const merchant of [attacker, victim]) {
      const out = await moneyOut(service, merchant.accountId);
      const most = merchant === attacker ? CAPS.day_cap : 0;
      tally(`what ${merchant.canary} has asked for`, out.asked > most ? `R$ ${out.asked}` : null);
      tally(`what left ${merchant.canary}`, out.sent > 0 ? `${out.sent} payouts without a member` : null);
    }
    for (const { decline } of [attacker, victim]) await decline();
    for (const discrepancy of await bookDiscrepancies(service)) tally('the books', discrepancy);
  },
};

async function openMerchant(service: TestService, name: string): Promise<Merchant> {
  const canary = `canario-${name}-${uuidv7(service.deps.clock()).slice(-12)}`;
  const { accountId, apiKey, merchantId } = await service.openAccount({ name: `Loja ${canary}` });
  const input = { amount: FUNDS, description: canary, customerName: canary };
  const { body } = await service.post('/payments/transactions', apiKey, input);
  const charge = (body.data as { transaction_id: string }).transaction_id;
  await service.pay(charge);
  await service.until('the charge is paid', async () => {
    const { body: found } = await service.get(`/payments/transactions/${charge}`, apiKey);
    return (found.data as { status: string }).status === 'paid' || null;
  });
  const memberId = uuidv7(service.deps.clock());
  const email = `${name}@example.com`;
  await addMember(service.deps.db.pool, { id: memberId, merchantId, email, role: 'owner' });
  const panel = await panelCaller(service.deps, accountId, { memberId, email });
  const key = { name: 'Assistente', permissions: ALL, allowed_ips: [], expires_at: null, ...CAPS };
  const decline = async () => {
    // A page at a time: in the long form more are asked for than a page has.
    for (;;) {
      const { data } = await panel.transactions.list({ display_status: 'pending_approval', limit: '100' });
      if (data.length === 0) return;
      for (const { transaction_id } of data) await panel.approvals.decline({ transaction_id, reason: 'Não.' });
    }
  };
  return { accountId, apiKey, assistantKey: (await panel.keys.create(key)).api_key, charge, canary, decline };
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const send = (service: TestService, headers: Record<string, string>, body: string): Promise<RawAnswer> =>
  ask(`${service.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });

const rpc = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const callOf = (name: string, args: unknown) => rpc('tools/call', { name, arguments: args });

async function toolsOf(service: TestService, key: string): Promise<Tool[]> {
  const { text } = await send(service, { 'x-api-key': key }, rpc('tools/list', {}));
  return JSON.parse(text).result.tools;
}

/** Keys that are not an assistant's, in every header, and origins that are not the service's. */
async function attackWithKeys(arena: Arena, service: TestService, attacker: Merchant, victim: Merchant): Promise<void> {
  const tally = arena.attack('other keys, and other places');
  const own = attacker.assistantKey;
  const expect = async (what: string, status: number, headers: Record<string, string>) => {
    const answer = await send(service, headers, callOf('get_balance', {}));
    const wrong =
      answer.status === status ? leakPattern(answer.text) : `${answer.status}: ${answer.text.slice(0, 120)}`;
    tally(what, wrong);
  };
  await expect('its own key', 200, { 'x-api-key': own });
  await expect('no key', 401, {});
  await expect("a system's key", 403, { 'x-api-key': attacker.apiKey });
  await expect("a system's key as a bearer", 403, { authorization: `Bearer ${victim.apiKey}` });
  await expect('a key with another end', 401, { 'x-api-key': `${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}` });
  await expect('two keys', 400, { 'x-api-key': own, authorization: `Bearer ${victim.assistantKey}` });
  for (const origin of [
    'https://evil.example',
    'null',
    'file://',
    'http://127.0.0.1:1',
    'http://localhost.evil.example',
  ])
    await expect(`a page of ${origin}`, 403, { 'x-api-key': own, origin });
  for (const path of [
    '/payments/balance',
    '/account',
    '/payments/limits',
    `/payments/transactions/${attacker.charge}`,
  ]) {
    const { status } = await service.get(path, own);
    tally(`REST ${path} with the key of an assistant`, status === 403 ? null : String(status));
  }
  const charge = await service.post('/payments/transactions', own, { amount: 1 });
  tally('REST: a charge with the key of an assistant', charge.status === 403 ? null : String(charge.status));
  const forbidden: Permission[][] = [
    ['mcp:use', 'withdrawals:write'],
    ['mcp:use', 'refunds:write'],
    ['mcp:use', 'accounts:write'],
    ['mcp:use', 'mcp:withdraw'],
    ['mcp:withdraw'],
  ];
  for (const permissions of forbidden) {
    const made = createApiKey(service.deps, { accountId: attacker.accountId, name: 'x', permissions });
    tally(
      `a key with ${permissions}`,
      await made.then(
        () => 'it was made',
        () => null,
      ),
    );
  }
}

/** Deeper than the stack of a recursive parser or writer. */
const DEEP = '['.repeat(10_000) + ']'.repeat(10_000);

/** Messages that the protocol does not have, or has for other purposes. */
async function attackWithMessages(arena: Arena, service: TestService, { assistantKey }: Merchant): Promise<void> {
  const tally = arena.attack('messages of the protocol');
  const withdraw = { ...request(10), idempotency_key: 'notified' };
  const messages = [
    rpc('tools/call', null),
    rpc('tools/call', { name: 1 }),
    rpc('tools/call', { name: '__proto__', arguments: {} }),
    rpc('tools/call', { name: 'constructor', arguments: {} }),
    rpc('tools/call', { name: 'get_balance', arguments: [] }),
    rpc('tools/call', { name: 'get_balance', arguments: 'x' }),
    rpc('resources/read', { uri: 'file:///etc/passwd' }),
    rpc('prompts/get', { name: 'x' }),
    rpc('completion/complete', {}),
    rpc('logging/setLevel', { level: 'debug' }),
    rpc('subscriptions/listen', {}),
    rpc('sampling/createMessage', {}),
    rpc('tools/list', { cursor: "' OR 1=1 --" }),
    rpc('initialize', { protocolVersion: '9999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
    rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    // Without an id it is a notification: it gets no answer and does nothing.
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'request_pix_withdrawal', arguments: withdraw },
    }),
    JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'tools/list' }),
    JSON.stringify({ jsonrpc: '2.0', id: {}, method: 'tools/list' }),
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }),
    JSON.stringify([JSON.parse(rpc('tools/list', {})), JSON.parse(callOf('request_pix_withdrawal', withdraw))]),
    `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_balance","arguments":{"__proto__":{"polluted":1}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${DEEP}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_balance","arguments":{"a":${DEEP}}}}`,
    'null',
    '""',
    '',
    '{',
  ];
  for (const message of messages) {
    const answer = await send(service, { 'x-api-key': assistantKey }, message);
    const wrong = answer.status >= 500 ? `${answer.status}: ${answer.text.slice(0, 200)}` : leakPattern(answer.text);
    tally(message.slice(0, 120), wrong);
  }
  tally('prototypes', 'polluted' in {} ? 'polluted' : null);
}

/** Tries hostile values in every argument of every tool. */
async function attackWithArguments(
  arena: Arena,
  service: TestService,
  { assistantKey }: Merchant,
  victim: Merchant,
): Promise<void> {
  const tally = arena.attack('arguments of tools');
  const values = [...HOSTILE_TEXTS, null, [], {}, true, -1, 1e308, ['x', { a: 1 }], victim.accountId];
  for (const { name, inputSchema } of await toolsOf(service, assistantKey)) {
    for (const field of [...Object.keys(inputSchema.properties), 'accountId', 'splitReceiverUserId', 'callbackUrl']) {
      for (const value of arena.isLong ? values : some(arena, values, 4)) {
        const args = { ...validFor(name, arena), [field]: value };
        const message = callOf(name, args);
        const answer = await send(service, { 'x-api-key': assistantKey }, message);
        tally(`${name} ${field} ${JSON.stringify(value).slice(0, 60)}`, judge(answer, message, [victim.canary]));
      }
    }
  }
}

function some<T>(arena: Arena, all: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => all[Math.floor(arena.random() * all.length)] as T);
}

/**
 * Why an answer is wrong; null: it is the result of an existing tool, without a failure or an
 * internal detail of ours.
 */
function judge(answer: RawAnswer, message: string, canaries: readonly string[]): string | null {
  // A text that can't be stored, or a body that is too long, never reaches a tool.
  if (answer.status === 400 || answer.status === 413) return leakPattern(answer.text);
  const body = parsed(answer.text);
  if (answer.status !== 200 || body === null) return `${answer.status}: ${answer.text.slice(0, 200)}`;
  const code = body.result?.structuredContent?.code;
  if (code === 'internal' || code === 'unavailable') return `our own failure: ${answer.text.slice(0, 200)}`;
  return leakPattern(answer.text) ?? leakIn(answer, canaries, message);
}

type RpcAnswer = { result?: { isError?: boolean; structuredContent?: Record<string, unknown> }; error?: unknown };

function parsed(text: string): RpcAnswer | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const request = (amount: number) => ({ amount, pixKey: 'mallory@example.com', pixKeyType: 'EMAIL' });

/** Arguments that a tool takes; each with an idempotency key of its own. */
function validFor(name: string, arena: Arena): Record<string, unknown> {
  const key = { idempotency_key: `k-${Math.floor(arena.random() * 1e12)}` };
  if (name === 'request_pix_withdrawal') return { ...request(1), ...key };
  if (name === 'request_crypto_withdrawal')
    return { amount: 60, wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', currency: 'USDT_BSC', ...key };
  if (name === 'create_pix_charge') return { amount: 1.07, ...key };
  if (name === 'get_statement') return { balance: 'available', from: '2026-01-01', to: '2026-01-31' };
  if (name === 'get_quote') return { currency: 'BTC', side: 'deposit' };
  return {};
}

/** Another merchant's things answer as things that do not exist. */
async function attackOtherTenants(
  arena: Arena,
  service: TestService,
  { assistantKey }: Merchant,
  victim: Merchant,
): Promise<void> {
  const tally = arena.attack("another merchant's things");
  const theirs = await send(
    service,
    { 'x-api-key': victim.assistantKey },
    callOf('request_pix_withdrawal', { ...request(CAPS.call_cap + 1), idempotency_key: 'theirs' }),
  );
  tally('the victim is held to its caps too', theirs.text.includes('key_call_cap_exceeded') ? null : theirs.text);
  const nothing = uuidv7(service.deps.clock());
  for (const [tool, field, code] of [
    ['get_transaction', 'transactionId', 'transaction_not_found'],
    ['get_withdrawal', 'transactionId', 'transaction_not_found'],
    ['get_dispute', 'disputeId', 'dispute_not_found'],
    ['get_event', 'eventId', 'event_not_found'],
  ] as const) {
    for (const id of [victim.charge, nothing, victim.accountId]) {
      const message = callOf(tool, { [field]: id });
      const answer = await send(service, { 'x-api-key': assistantKey }, message);
      const found = parsed(answer.text)?.result?.structuredContent?.code;
      tally(`${tool} ${id}`, found === code ? leakIn(answer, [victim.canary], message) : answer.text.slice(0, 200));
    }
  }
}

/** Sends the same message many times, and as many withdrawals as it can at once. */
async function attackCaps(arena: Arena, service: TestService, { assistantKey }: Merchant): Promise<void> {
  const tally = arena.attack('replays and caps');
  const headers = { 'x-api-key': assistantKey };
  const times = arena.times(10, 60);
  const replayed = callOf('request_pix_withdrawal', { ...request(30), idempotency_key: 'replayed' });
  const answers = await Promise.all(Array.from({ length: times }, () => send(service, headers, replayed)));
  const ids = answers.map(
    ({ text }) => (parsed(text)?.result?.structuredContent?.data as Data | undefined)?.transaction_id,
  );
  tally(
    `${times} times one message`,
    new Set(ids.filter(Boolean)).size > 1 ? `${new Set(ids).size} withdrawals` : null,
  );
  const flood = Array.from({ length: times }, (_, n) =>
    send(service, headers, callOf('request_pix_withdrawal', { ...request(20), idempotency_key: `flood-${n}` })),
  );
  const done = (await Promise.all(flood)).filter(({ text }) => text.includes('waiting_for_confirmation')).length;
  tally(`${times} withdrawals at once`, done * 20 > CAPS.day_cap ? `${done} of R$ 20,00 were asked for` : null);
}

type Data = { transaction_id?: string };

/** The reais that wait or left, and how many payouts were started. */
async function moneyOut(service: TestService, accountId: string): Promise<{ asked: number; sent: number }> {
  const { rows } = await service.deps.db.pool.query<{ centavos: bigint; sent: number }>(
    `SELECT coalesce(sum(amount_centavos) FILTER (WHERE status <> 'failed'), 0)::bigint AS centavos,
       count(*) FILTER (WHERE payout_step IS NOT NULL OR sub_status IS NULL AND status = 'pending')::int AS sent
     FROM transactions WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out')`,
    [accountId],
  );
  return { asked: Number(rows[0]?.centavos) / 100, sent: rows[0]?.sent ?? 0 };
}
