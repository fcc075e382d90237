import { describe, expect, test, vi } from 'vitest';
import { TXID, UNAVAILABLE } from './testing/examples.ts';
import { setUpRailUnderTest } from './testing/rail-under-test.ts';
import type { Answer } from './testing/scripted-psp.ts';

const setup = setUpRailUnderTest();

describe('the access token', () => {
  const ask = () => setup.rail.findCharge(TXID);
  const unauthorised: Answer = { status: 401, body: { title: 'Não autorizado' } };
  const usedTokens = () => setup.psp.calls.map(({ headers }) => headers.authorization);

  // ASVS 10.1.1
  test('is asked for with client credentials and our scopes', async () => {
    await ask();
    expect(setup.psp.tokenCalls[0]).toMatchObject({
      call: 'POST /psp/api/oauth/token',
      headers: {
        authorization: `Basic ${Buffer.from('shop:s3cret:with/signs').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(Object.fromEntries(new URLSearchParams(setup.psp.tokenCalls[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'cob.read cob.write pix.read pix.write webhook.read webhook.write',
    });
  });

  test.each([
    ['as the standard has it', {}],
    ['with its duration as a text, as PSPs have sent it', { expires_in: '3600' }],
    ['of the type that the gateway of Apigee writes', { token_type: 'BearerToken' }],
  ])('is kept until a minute before its end: %s', async (_, changes) => {
    setup.psp.tokenAnswers = [{ status: 200, body: tokenBody({ access_token: 'token-1', ...changes }) }];
    await ask();
    setup.nowMs += 3_539_000;
    await ask();
    expect(setup.psp.tokenCalls).toHaveLength(1);
    setup.nowMs += 1_000;
    await ask();
    expect(usedTokens()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  test('is asked for once by many callers at once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, ask));
    expect(results).toEqual(Array(20).fill({ outcome: 'done', value: null }));
    expect(setup.psp.tokenCalls).toHaveLength(1);
  });

  test('is replaced after a 401, once for all who got one', async () => {
    await ask();
    setup.psp.revokedToken = 'token-1';
    const results = await Promise.all(Array.from({ length: 10 }, ask));
    expect(results).toEqual(Array(10).fill({ outcome: 'done', value: null }));
    expect(setup.psp.tokenCalls).toHaveLength(2);
    await ask();
    expect(usedTokens().at(-1)).toBe('Bearer token-2');
  });

  test('that is rejected when fresh is a rejection', async () => {
    setup.psp.answers = [unauthorised, unauthorised];
    expect(await ask()).toEqual({ outcome: 'rejected', reason: 'HTTP 401 with a fresh access token' });
    expect(setup.psp.tokenCalls).toHaveLength(2);
  });

  test('does not bring the secret into the log when the PSP quotes it', async () => {
    setup.psp.tokenAnswers = [{ status: 401, body: { error: 'S3cret:with/signs' } }];
    expect(await ask()).toEqual({ outcome: 'rejected', reason: 'token: HTTP 401 ***' });
  });

  test('that the PSP denies to wrong credentials is a rejection without a call', async () => {
    setup.psp.tokenAnswers = Array(2).fill({
      status: 401,
      body: { error: 'invalid_client', error_description: 's3cret:with/signs is wrong' },
    });
    expect(await ask()).toEqual({ outcome: 'rejected', reason: 'token: HTTP 401 invalid_client' });
    expect(setup.psp.calls).toHaveLength(0);
  });

  test.each<[string, Answer]>([
    ['5xx', UNAVAILABLE],
    ['429', { status: 429 }],
    ['a broken connection', 'cut'],
  ])('is requested again after %s', async (_, failure) => {
    setup.psp.tokenAnswers = [failure];
    expect(await ask()).toEqual({ outcome: 'done', value: null });
    expect(setup.psp.tokenCalls).toHaveLength(2);
  });

  test.each<[string, Answer]>([
    ['HTML', { status: 200, body: '<html></html>' }],
    ['a token that no header can carry', { status: 200, body: tokenBody({ access_token: 'a\r\nx: y' }) }],
    ['a token of another type', { status: 200, body: tokenBody({ token_type: 'mac' }) }],
    ['no end', { status: 200, body: tokenBody({ expires_in: undefined }) }],
    ['an end that is no number', { status: 200, body: tokenBody({ expires_in: '1h' }) }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ])('is not taken from an answer with %s', async (_, answer) => {
    setup.psp.tokenAnswers = [answer];
    expect(await ask()).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/^token: HTTP \d+ without a usable token/),
    });
    expect(setup.psp.calls).toHaveLength(0);
  });

  test('is not waited for longer than a call may take', async () => {
    setup.psp.tokenAnswers = ['silence', 'silence', 'silence'];
    const result = await setup.connect({ callTimeoutMs: 60 }).findCharge(TXID);
    expect(result).toMatchObject({ outcome: 'unknown', reason: expect.stringMatching(/^token: no answer in time/) });
  });

  test('is not waited for longer than the call that needs it has left', async () => {
    const now = performance.now.bind(performance);
    setup.psp.answers = [UNAVAILABLE];
    setup.psp.beforeAnswer = () => {
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 14_000);
      setup.nowMs += 3_600_000;
      setup.psp.tokenAnswers = ['silence'];
    };
    expect(await ask()).toEqual({ outcome: 'unknown', reason: 'token: no answer in time' });
  });
});

function tokenBody(changes: object): object {
  return { access_token: 'token-x', token_type: 'Bearer', expires_in: 3600, ...changes };
}
