import { describe, expect, test } from 'vitest';
import { restDocument } from '#server/rest/openapi/document.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { HOSTILE_TEXTS } from './hostile-values.ts';
import { judgePanel, judgeRest, leakPattern } from './judge-answer.ts';
import { restOperationsOf } from './rest-requests.ts';

const document = restDocument();
const getBalance = restOperationsOf(document).find(({ operationId }) => operationId === 'getBalance');
if (!getBalance) throw new Error('There is no operation getBalance.');
const { operation } = getBalance;

const request: FuzzRequest = { kind: 'one field', method: 'GET', target: '/x', headers: {}, body: null };
const JSON_TYPE = 'application/json; charset=utf-8';
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers({ 'content-type': JSON_TYPE, ...headers }),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const rejected = { success: false, error: 'x', message: 'y', code: 'api_key_invalid' };
const inPanel = (message: string) => ({ error: { message, code: -32600, data: { reason: null } } });

describe('the judge of answers', () => {
  test.each([
    ['a status of 500', answer(500, rejected), 'status 500'],
    ['a 502', answer(502, rejected), 'status 502'],
    ['a 503 that does not say when to come back', answer(503, rejected), 'status 503'],
    ['a page', answer(404, '<!doctype html><p>x', { 'content-type': 'text/html' }), 'HTML'],
    ['a page that says it is JSON', answer(404, '<html>'), 'HTML'],
    ['an empty body', answer(401, ''), 'no JSON'],
    ['JSON that does not say so', answer(401, rejected, { 'content-type': 'text/plain' }), 'no JSON'],
    ['a stack', answer(401, { ...rejected, message: 'x\n    at f (file.js:1:2)' }), 'shows its insides'],
    ['a status that is not documented', answer(418, rejected), 'not documented'],
    ['a member that is not documented', answer(401, { ...rejected, sql: 'x' }), '/sql is not documented'],
    ['a member that is missing', answer(401, { success: false }), '/error is missing'],
    ['a code that is none of the operation’s', answer(401, { ...rejected, code: 'x' }), '/code is none of'],
    ['a success of another shape', answer(200, { success: true, data: {} }), 'is missing'],
  ])('finds %s over REST', (_name, given, failure) => {
    expect(judgeRest(document, operation, request, given).failure).toContain(failure);
  });

  test.each([
    ['a status of 500', answer(500, inPanel('x')), 'status 500'],
    ['a page', answer(400, '<!DOCTYPE html>'), 'HTML'],
    ['words of a parser', answer(400, inPanel('Unexpected token . in JSON')), 'shows its insides'],
    ['words of a validator', answer(400, inPanel('[{"code":"invalid_union"}]')), 'shows its insides'],
    ['an unknown reason', answer(400, { error: { message: 'x', data: { reason: 'x' } } }), 'the reason x'],
    ['an object that is no answer', answer(200, {}), 'no error'],
    ['null', answer(200, 'null'), 'no answer'],
  ])('finds %s in the panel', (_name, given, failure) => {
    expect(judgePanel(request, given).failure).toContain(failure);
  });

  test('accepts correct answers, and counts a documented 503', () => {
    expect(judgeRest(document, operation, request, answer(401, rejected))).toEqual({ failure: null });
    const busy = answer(503, rejected, { 'retry-after': '1' });
    expect(judgeRest(document, operation, request, busy)).toEqual({ failure: null, isDocumentedUnavailability: true });
    expect(judgePanel(request, answer(200, { result: {} }))).toEqual({ failure: null });
    expect(judgePanel(request, answer(400, inPanel('A requisição não pôde ser lida.')))).toEqual({ failure: null });
  });

  test.each([
    'error: SELECT id FROM accounts',
    'syntax error at or near "x"',
    'invalid byte sequence for encoding "UTF8": 0x00',
    'duplicate key value violates unique constraint "members_email_key"',
    'PrismaClientKnownRequestError P2002',
    '/app/src/server/http/dispatch.ts',
    'Cannot read properties of undefined',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'URIError: URI malformed\\n    at decodeURIComponent (<anonymous>)\\n    at f (x.mjs:1801:11)',
    'ledger_post_charge_paid',
    '[object Object]',
  ])('takes %j for a leak', (text) => {
    expect(leakPattern(text)).not.toBeNull();
  });

  test('takes no hostile value for a leak, because stored values are shown later', () => {
    expect(HOSTILE_TEXTS.filter((text) => leakPattern(JSON.stringify(text)) !== null)).toEqual([]);
  });
});
