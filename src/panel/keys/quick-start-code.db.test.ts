import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from '#domain/permissions.ts';
import { createApiKey } from '#services/manage-api-keys.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { QUICK_START_TASKS, type QuickStartLanguage, quickStart, taskFor } from './quick-start-code.ts';

/** The quick start's programs, run against a service as they stand, each with a key that may do no more than its task needs. */

const NEEDS: Record<(typeof QUICK_START_TASKS)[number], Permission[]> = {
  charge_and_look: ['charges:write', 'transactions:read'],
  charge: ['charges:write'],
  transactions: ['transactions:read'],
  balance: ['balance:read'],
  account: [],
};
/** What its last answer tells, and nothing but that answer does. */
const TELLS: Record<(typeof QUICK_START_TASKS)[number], RegExp> = {
  charge_and_look: /paid_at/,
  charge: /qr_code/,
  transactions: /next_cursor/,
  balance: /available_balance/,
  account: /can_create_accounts/,
};

const RUN: Record<QuickStartLanguage, [command: string, ...before: string[]]> = {
  curl: ['sh', '-c'],
  node: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
};

let trilho: TestService;
let accountId: string;
/** Of the languages, those that this machine has; Node it has. */
let languages: QuickStartLanguage[];

beforeAll(async () => {
  trilho = await startTestService();
  ({ accountId } = await trilho.openAccount());
  const has = (command: string) =>
    promisify(execFile)(command, ['--version']).then(
      () => true,
      () => false,
    );
  languages = ['node', ...((await has('curl')) ? ['curl' as const] : [])];
  if (await has('python3')) languages.push('python');
});
afterAll(() => trilho.stop());

test.each(QUICK_START_TASKS)(
  '"%s" works as it is shown, with a key that may do this and nothing else',
  async (task) => {
    const key = await createApiKey(trilho.deps, { accountId, name: 'x', permissions: NEEDS[task] });
    for (const language of languages) {
      const place = { baseUrl: trilho.url, apiKey: key?.apiKey ?? '', description: 'Minha primeira cobrança' };
      const [command, ...before] = RUN[language];
      const { stdout } = await promisify(execFile)(command, [...before, quickStart(language, task, place)]);
      expect(stdout, language).toMatch(TELLS[task]);
      expect(stdout, language).not.toMatch(/"?success"?: ?false/i);
    }
  },
);

test('the task shown for a key is one that it may do', () => {
  for (const task of QUICK_START_TASKS) expect(taskFor(NEEDS[task])).toBe(task);
  expect(taskFor(PERMISSIONS)).toBe('charge_and_look');
  expect(taskFor(['withdrawals:write'])).toBe('account');
});
