import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import recipes from '#public/recipes.json' with { type: 'json' };
import { startStoryClock } from '#server/rest/openapi/testing/start-story-clock.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { enterDispute } from '#services/disputes/manage-disputes.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { type Operation, reference } from './docs/reference.ts';
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippet } from './docs/snippets.ts';
import { QUICK_START_TASKS, quickStart, taskFor } from './keys/quick-start-code.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** The programs that pages show to be pasted, run unchanged against a service. */

const RUN: Record<SnippetLanguage, [command: string, ...before: string[]]> = {
  curl: ['sh', '-c'],
  node: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
};

let trilho: TestService;
/** The languages that this machine can run; Node is always one. */
let languages: SnippetLanguage[];

beforeAll(async () => {
  trilho = await startTestService({ clock: startStoryClock() });
  const has = (command: string) =>
    promisify(execFile)(command, ['--version']).then(
      () => true,
      () => false,
    );
  languages = ['node', ...((await has('curl')) ? ['curl' as const] : [])];
  if (await has('python3')) languages.push('python');
});
afterAll(() => trilho.stop());

async function run(language: SnippetLanguage, code: string): Promise<string> {
  const [command, ...before] = RUN[language];
  return (await promisify(execFile)(command, [...before, code])).stdout;
}

describe('the quick start of a new key', () => {
  /** What a key needs for a task, and what only the task's last answer contains. */
  const TASKS: Record<(typeof QUICK_START_TASKS)[number], [needs: Permission[], says: RegExp]> = {
    charge_and_look: [['charges:write', 'transactions:read'], /paid_at/],
    charge: [['charges:write'], /qr_code/],
    transactions: [['transactions:read'], /next_cursor/],
    balance: [['balance:read'], /available_balance/],
    account: [[], /can_create_accounts/],
  };

  test.each(QUICK_START_TASKS)(
    '"%s" works as it is shown, with a key that may do this and nothing else',
    async (task) => {
      const [permissions, says] = TASKS[task];
      const { accountId } = await trilho.openAccount();
      const key = await createApiKey(trilho.deps, { accountId, name: 'x', permissions });
      for (const language of languages) {
        const place = { baseUrl: trilho.url, apiKey: key?.apiKey ?? '', description: 'Minha primeira cobrança' };
        const stdout = await run(language, quickStart(language, task, place));
        expect(stdout, language).toMatch(says);
        expect(stdout, language).not.toMatch(/"?success"?: ?false/i);
      }
    },
  );

  test('the task shown for a key is one that it may do', () => {
    for (const task of QUICK_START_TASKS) expect(taskFor(TASKS[task][0])).toBe(task);
    expect(taskFor(PERMISSIONS)).toBe('charge_and_look');
    expect(taskFor(['withdrawals:write'])).toBe('account');
  });
});

describe('the reference of the API', () => {
  const operations = reference.groups.flatMap((group) => group.operations);

  /**
   * Python's `requests` as far as the snippets use it, on the standard library: not every machine
   * has it.
   */
  const REQUESTS = `
import json, sys, types, urllib.error, urllib.request
class Response:
    def __init__(self, code, body): self.status_code, self.body = code, body
    def json(self): return json.loads(self.body)
def send(method, url, headers, data=None):
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer: return Response(answer.status, answer.read())
    except urllib.error.HTTPError as error: return Response(error.code, error.read())
requests = types.ModuleType("requests")
requests.get = lambda url, headers: send("GET", url, headers)
requests.post = lambda url, headers, json=None: send(
    "POST", url, headers if json is None else {**headers, "Content-Type": "application/json"},
    None if json is None else __import__("json").dumps(json).encode())
sys.modules["requests"] = requests
`;

  type Said = { status: number; answer: unknown };

  /** Runs a snippet for the shell unchanged; returns the response. */
  async function sayCurl(code: string): Promise<Said> {
    const text = await run('curl', code.replace(/^curl /, `curl -s -w '\\n%{http_code}' `));
    return { status: Number(text.slice(-3)), answer: JSON.parse(text.slice(0, -3)) };
  }

  /** Runs a snippet for Node in this process; returns what it prints. */
  async function sayNode(code: string): Promise<Said> {
    const AsyncFunction = sayNode.constructor as FunctionConstructor;
    let said: Said | undefined;
    const log = (status: number, answer: unknown) => {
      said = { status, answer };
    };
    await new AsyncFunction('console', code)({ log });
    if (!said) throw new Error('The snippet printed nothing.');
    return said;
  }

  const exampleIdIn = ({ path, parameters }: Operation) =>
    path.includes('{') ? String(parameters.find((parameter) => parameter.in === 'path')?.example) : null;
  const idIn = (answer: unknown) => {
    const { data } = answer as { data?: { transaction_id?: string; endpoint_id?: string } };
    return data?.transaction_id ?? data?.endpoint_id;
  };

  test('every snippet works, one after the other in the order of the page, in whatever language', async () => {
    const account = await trilho.openAccount({
      email: 'docs@example.com',
      currency: 'USDT_TRX',
      canCreateAccounts: true,
      webhookUrl: 'https://loja.example.com/webhooks/trilho',
    });
    const { accountId } = account;
    const key = await createApiKey(trilho.deps, { accountId, name: 'docs', permissions: PERMISSIONS });
    const place = { baseUrl: trilho.url, apiKey: key?.apiKey ?? '' };
    const charge = async (amount: number) =>
      idIn((await trilho.post('/payments/transactions', account.apiKey, { amount })).body) ?? '';
    const newestEvent = async () => {
      const { body } = await trilho.get('/events?limit=1', account.apiKey);
      return (body.data as { event_id: string }[])[0]?.event_id ?? '';
    };
    const paid = async (id: string) => {
      await trilho.pay(id);
      await trilho.until('the charge is paid', async () => {
        const { body } = await trilho.get(`/payments/transactions/${id}`, account.apiKey);
        return (body.data as { status: string }).status === 'paid' || null;
      });
    };
    await paid(await charge(2_000));
    /** Opens a dispute about a payment of the account; returns its id. */
    const dispute = async () => {
      const chargeId = await charge(80);
      await paid(chargeId);
      const asked = { chargeId, reason: 'fraud', centavos: null, answerBy: null, by: byOperator('ana') } as const;
      expect(await enterDispute(trilho.deps, asked)).toBe('opened');
      const { body } = await trilho.get('/payments/disputes', account.apiKey);
      return (body.data as { dispute_id: string }[])[0]?.dispute_id ?? '';
    };
    const scheduled = async () => {
      const scheduledFor = dateInSaoPaulo(new Date(trilho.deps.clock().getTime() + WEEK_MS));
      const asked = { amount: 50, pixKey: '11987654321', pixKeyType: 'PHONE', scheduledFor };
      return idIn((await trilho.post('/payments/transfers/pix', account.apiKey, asked)).body) ?? '';
    };
    const endpoint = async () =>
      idIn((await trilho.post('/webhook-endpoints', place.apiKey, { url: 'https://loja.example.com/antigo' })).body) ??
      '';
    /** Returns an id for one of an example that no snippet before has made. */
    const ownId = (exampleId: string, { path }: Operation) => {
      if (path.startsWith('/payments/disputes/')) return dispute();
      if (path.endsWith('/pix/{transactionId}/cancel')) return scheduled();
      if (path.startsWith('/webhook-endpoints/')) return endpoint();
      return exampleId.startsWith('evt_') ? newestEvent() : charge(30);
    };
    /** Our ids by those of the examples, which a reader replaces. */
    const ids = new Map<string, string>();
    const filled = (language: SnippetLanguage, operation: Operation) =>
      ids.entries().reduce((code, [example, id]) => code.replaceAll(example, id), snippet(language, operation, place));
    for (const operation of operations) {
      const exampleId = exampleIdIn(operation);
      if (exampleId !== null && !ids.has(exampleId)) ids.set(exampleId, await ownId(exampleId, operation));
      const { status, answer } = await sayNode(filled('node', operation));
      expect([operation.id, status, answer]).toEqual([operation.id, operation.answer.status, answer]);
      const made = idIn(operation.answer.example);
      const id = idIn(answer);
      if (exampleId === null && made && id) ids.set(made, id);
      // In another language the same request is answered by its key, and nothing happens twice.
      if (languages.includes('curl')) {
        const again = await sayCurl(filled('curl', operation));
        expect([operation.id, again.status, idIn(again.answer)]).toEqual([operation.id, status, id]);
      }
      if (operation.id === 'createPixCharge') await paid(id ?? '');
    }
    // All in one program, because Python starts slowly.
    if (!languages.includes('python')) return;
    const printed = await run('python', [REQUESTS, ...operations.map((one) => filled('python', one))].join('\n'));
    const statuses = printed
      .trim()
      .split('\n')
      .map((line) => Number(line.slice(0, 3)));
    expect(statuses).toEqual(operations.map(({ answer }) => answer.status));
  });

  test('the recipe for the shell makes one charge, however often it is run', async () => {
    if (!languages.includes('curl')) return;
    const { apiKey } = await trilho.openAccount();
    const environment = { ...process.env, TRILHO_URL: trilho.url, TRILHO_API_KEY: apiKey };
    const runRecipe = async () => {
      const { stdout } = await promisify(execFile)('sh', ['-c', recipes.firstCharge.code], { env: environment });
      const [charge, list] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return {
        made: charge.data.transaction_id,
        found: list.data.map((one: { transaction_id: string }) => one.transaction_id),
      };
    };
    const { made, found } = await runRecipe();
    expect(found).toEqual([made]);
    expect(await runRecipe()).toEqual({ made, found });
  });

  test('the snippets of a POST send the same Idempotency-Key in every language', () => {
    const place = { baseUrl: 'https://trilho.example', apiKey: 'tr_test_x' };
    for (const operation of operations) {
      const keys = SNIPPET_LANGUAGES.map(
        (language) => /Idempotency-Key'?"?: ['"]?([\w-]+)/.exec(snippet(language, operation, place))?.[1] ?? null,
      );
      expect(new Set(keys).size, operation.id).toBe(1);
      expect(keys[0] === null, operation.id).toBe(operation.method === 'GET');
    }
  });
});
