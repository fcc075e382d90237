import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { createIdempotency, type IdempotentAnswer } from './run-idempotently.ts';

const OWNER = 4_711n;

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

test.each([
  ['that would free the key', 'delete'],
  ['that would be replayed', 'keep'],
] as const)(
  'an error %s does neither after an attempt that may have done it: the next one continues under the same id',
  async (_, key) => {
    const { accountId } = await trilho.openAccount();
    const idempotency = createIdempotency(trilho.deps, OWNER);
    const subjects: string[] = [];
    const attempt = (answer: IdempotentAnswer | 'dies') =>
      idempotency.run(
        { accountId, key: 'pedido-1', request: 'POST', mayReplay: async () => {}, createdAt: new Date() },
        async (subjectId) => {
          subjects.push(subjectId);
          if (answer === 'dies') throw new Error('The process died.');
          return answer;
        },
      );
    await expect(attempt('dies')).rejects.toThrow('died');
    expect(await attempt({ status: 403, body: '{"rejected":true}', key })).toMatchObject({ status: 403 });
    expect(await attempt({ status: 200, body: '{"done":true}', key: 'keep' })).toMatchObject({ status: 200 });
    expect(subjects).toHaveLength(3);
    expect(new Set(subjects).size).toBe(1);
    expect(await attempt('dies')).toEqual({ status: 200, body: '{"done":true}', replayed: true });
  },
);

test('an error of a first attempt frees its key for another request', async () => {
  const { accountId } = await trilho.openAccount();
  const idempotency = createIdempotency(trilho.deps, OWNER);
  const send = (request: string, answer: IdempotentAnswer) =>
    idempotency.run(
      { accountId, key: 'pedido-2', request, mayReplay: async () => {}, createdAt: new Date() },
      async () => answer,
    );
  expect(await send('POST 1', { status: 400, body: '{}', key: 'delete' })).toMatchObject({ status: 400 });
  expect(await send('POST 2', { status: 200, body: '{}', key: 'keep' })).toMatchObject({ status: 200 });
});

test('a request that is under way in this process is not begun a second time, however often it is sent', async () => {
  const { accountId } = await trilho.openAccount();
  const idempotency = createIdempotency(trilho.deps, OWNER);
  let begun = 0;
  const send = (execute: () => Promise<void>) =>
    idempotency.run(
      { accountId, key: 'pedido-3', request: 'POST', mayReplay: async () => {}, createdAt: new Date() },
      async () => {
        begun++;
        await execute();
        return { status: 200, body: '{}', key: 'keep' };
      },
    );
  const again = () => expect(send(async () => {})).rejects.toMatchObject({ code: 'idempotency_key_running' });
  await send(async () => {
    await again();
    await again();
  });
  expect([begun, await send(again)]).toEqual([1, { status: 200, body: '{}', replayed: true }]);
});
