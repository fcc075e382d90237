import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import { createRequestContext } from '../http/request-context.ts';
import type { OperationCall, OperationRunner } from '../rest/operation-runner.ts';
import { createToolCaller } from './tool-caller.ts';
import { createTools } from './tools.ts';

const tools = createTools();
const principal = { keyId: 'second', firstKeyId: 'first', accountId: 'a', merchantId: 'm' } as KeyOwner;
const SENT = { amount: 1, pixKey: 'a@example.com', pixKeyType: 'EMAIL', idempotency_key: 'k' };

/** Calls a tool whose operation ends as `run` says. */
async function call(run: OperationRunner, name: string, sent: Record<string, unknown>) {
  const notes: string[] = [];
  const callTool = createToolCaller({
    runOperation: run,
    rejections: { note: async ({ action }) => void notes.push(action) },
    clientIp: () => null,
  });
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(name);
  const requestContext = createRequestContext('/mcp');
  const req = { headers: {} } as IncomingMessage;
  const result = await callTool({ req, res: {} as ServerResponse, requestContext, principal, tool, sent });
  return { ...result, notes, requestContext };
}

const throws =
  (error: unknown): OperationRunner =>
  async () => {
    throw error;
  };

test.each(['unavailable', 'internal', 'idempotency_key_running'] as const)(
  'a call that may have been done (%s) has a result that says so, not an error that is tried again',
  async (code) => {
    const thrown = await call(throws(new DomainError(code)), 'request_pix_withdrawal', SENT);
    expect(thrown.isError).toBe(undefined);
    expect(thrown.structuredContent).toMatchObject({ status: 'unknown', code });
    expect(String(thrown.structuredContent?.message)).toContain('Never call it with another idempotency_key');
    const body = JSON.stringify({ success: false, code });
    const kept = await call(async () => ({ status: 500, body, replayed: false }), 'create_pix_charge', {
      ...{ amount: 1, idempotency_key: 'k' },
    });
    expect(kept).toMatchObject({ structuredContent: { status: 'unknown', code } });
    expect(kept.isError).toBe(undefined);
  },
);

test('a failed read is an error, which may be retried', async () => {
  const { isError, structuredContent } = await call(throws(new Error('SELECT secret')), 'get_balance', {});
  expect([isError, structuredContent?.code]).toEqual([true, 'internal']);
  expect(JSON.stringify(structuredContent)).not.toContain('secret');
});

test('a rejected call is an error, and is noted where it was forbidden', async () => {
  const rejected = await call(throws(new DomainError('withdrawals_paused')), 'request_pix_withdrawal', SENT);
  expect([rejected.isError, rejected.notes]).toEqual([true, ['withdrawal.rejected']]);
  const closed = await call(throws(new DomainError('rail_closed', { params: { reason: 'x' } })), 'create_pix_charge', {
    ...{ amount: 1, idempotency_key: 'k' },
  });
  expect([closed.isError, closed.structuredContent?.code, closed.notes]).toEqual([true, 'rail_closed', []]);
});

test('an idempotency key is the assistant’s own, over rotations, and never reaches the procedure', async () => {
  const calls: OperationCall[] = [];
  const run: OperationRunner = async (one) => {
    calls.push(one);
    return { status: 200, body: '{"success":true}', replayed: true };
  };
  const { structuredContent } = await call(run, 'request_pix_withdrawal', SENT);
  expect(structuredContent).toEqual({ success: true, replayed: true });
  expect(calls.map(({ idempotencyKey, input }) => [idempotencyKey, input])).toEqual([
    ['mcp first k', { amount: 1, pixKey: 'a@example.com', pixKeyType: 'EMAIL' }],
  ]);
  for (const key of [undefined, '', 'a b', 'ç', 1, {}, 'x'.repeat(201)]) {
    const { isError, structuredContent } = await call(run, 'request_pix_withdrawal', { ...SENT, idempotency_key: key });
    expect([isError, structuredContent?.code]).toEqual([true, 'invalid_idempotency_key']);
    expect(structuredContent?.details).toMatchObject([{ field: 'idempotency_key' }]);
  }
  expect(calls).toHaveLength(1);
});

test('an argument that a tool does not have is named as what was rejected, not as ignored', async () => {
  const sent = { amount: 1, idempotency_key: 'k', callbackUrl: 'https://a.example', descriptio: 'x' };
  const { isError, structuredContent } = await call(throws(new Error('called')), 'create_pix_charge', sent);
  expect([isError, structuredContent]).toMatchObject([
    true,
    {
      code: 'invalid_input',
      details: [{ field: 'callbackUrl' }, { field: 'descriptio' }],
      warnings: [{ field: 'callbackUrl' }, { field: 'descriptio', suggestion: 'description' }],
    },
  ]);
  expect(JSON.stringify(structuredContent)).not.toContain('ignorado');
});
