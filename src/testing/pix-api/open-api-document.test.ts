import { describe, expect, test } from 'vitest';
import { type HttpCall, readOpenApiDocument } from './open-api-document.ts';

/**
 * A small document with the peculiarities of API Pix's own: compositions, references, odd patterns.
 */
const DOCUMENT = `
openapi: 3.0.0
info: { title: Charges, version: 1.2.3 }
paths:
  /cob/{txid}:
    parameters:
      - { name: txid, in: path, required: true, schema: { $ref: '#/components/schemas/TxId' } }
    put:
      requestBody: { $ref: '#/components/requestBodies/Cob' }
      responses:
        '201': { content: { application/json: { schema: { $ref: '#/components/schemas/CobMade' } } } }
        '403': { $ref: '#/components/responses/Denied' }
      callbacks:
        paid:
          '{$request.body#/url}/pix':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Notice' } } } }
              responses: { '200': { description: ok } }
    delete:
      responses: { '204': { description: gone } }
  /cob:
    get:
      parameters:
        - { name: inicio, in: query, required: true, schema: { type: string, format: date-time } }
        - { name: page, in: query, schema: { type: integer } }
      responses: { '200': { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/CobMade' } } } } } }
components:
  requestBodies:
    Cob: { content: { application/json: { schema: { $ref: '#/components/schemas/Cob' } } } }
  responses:
    Denied: { content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problema' } } } }
  schemas:
    TxId: { type: string, pattern: '[a-z]{4}' }
    Cob:
      required: [valor]
      allOf:
        - { type: object, properties: { valor: { type: object, required: [original], properties: { original: { type: string, pattern: '\\d{1,10}\\.\\d{2}' } } } } }
        - { type: object, properties: { cpf: { type: string, pattern: '/^\\d{11}$/' } } }
    CobMade:
      allOf:
        - { $ref: '#/components/schemas/Cob' }
        - { type: object, required: [criacao], properties: { criacao: { type: string, format: date-time } } }
    Notice: { type: object, properties: { pix: { type: array, items: { type: object, properties: { txid: { $ref: '#/components/schemas/TxId' } } } } } }
    Problema: { type: object, required: [title], properties: { title: { type: string } } }
`;

const document = readOpenApiDocument(DOCUMENT);
const COB = { valor: { original: '37.00' } };
const MADE: HttpCall = {
  method: 'PUT',
  path: '/cob/abcd',
  request: COB,
  status: 201,
  contentType: 'application/json',
  response: { ...COB, criacao: '2026-11-23T12:00:00.000Z' },
};
const response = { ...COB, criacao: '2026-11-23T12:00:00.000Z' };
const differences = (changes: Partial<HttpCall>) => document.differencesOf({ ...MADE, ...changes });

test('a call that follows the document has no differences', () => {
  expect(document.version).toBe('1.2.3');
  expect(differences({})).toEqual([]);
  expect(differences({ request: { ...COB, cpf: '12345678909' } })).toEqual([]);
  expect(
    differences({ method: 'DELETE', request: undefined, status: 204, contentType: null, response: undefined }),
  ).toEqual([]);
  const list = { method: 'GET', path: '/cob?inicio=2026-11-23T12%3A00%3A00Z&page=2', request: undefined, status: 200 };
  expect(differences({ ...list, response: [response] })).toEqual([]);
  expect(document.callbackDifferences('PUT /cob/{txid}', { pix: [{ txid: 'abcd' }] })).toEqual([]);
});

describe('planted: a difference is found', () => {
  test.each<[string, Partial<HttpCall>, RegExp]>([
    ['a missing field of the request', { request: {} }, /^request must have required property 'valor'/],
    ['a field that is not there', { request: { ...COB, chave: 'x' } }, /^request must NOT .*\(chave\)$/],
    [
      'one inside another',
      { request: { valor: { original: '1.00', outro: 1 } } },
      /^request\.valor must NOT .*\(outro\)$/,
    ],
    [
      'an amount of three decimals',
      { request: { valor: { original: '37.000' } } },
      /^request\.valor\.original must match/,
    ],
    ['a pattern between slashes', { request: { ...COB, cpf: '1234' } }, /^request\.cpf must match/],
    ['a parameter of the path', { path: '/cob/ABCD' }, /^request parameter txid must match/],
    ['no body', { request: undefined }, /^request: the body is missing$/],
    ['a missing field of the answer', { response: COB }, /^answer 201 must have required property 'criacao'/],
    [
      'an instant without a zone',
      { response: { ...response, criacao: '2026-11-23T12:00:00' } },
      /^answer 201\.criacao must match format/,
    ],
    ['another content type', { contentType: 'text/html' }, /^answer 201: the content type is text\/html/],
    ['another status', { status: 202 }, /^answer: the status 202 is not in the document$/],
    [
      'a problem without its type of body',
      { status: 500, contentType: 'application/json', response: {} },
      /^answer 500: the content type/,
    ],
    [
      'a problem without its title',
      { status: 403, contentType: 'application/problem+json', response: {} },
      /^answer 403 must have required property 'title'/,
    ],
    [
      'a body where there is none',
      { method: 'DELETE', request: undefined, status: 204, response: {} },
      /^answer 204: there is a body/,
    ],
    ['a path that is not there', { path: '/cobv/abcd' }, /is not in the document$/],
    [
      'a parameter that is missing',
      { method: 'GET', path: '/cob', request: undefined, status: 200, response: [] },
      /^request: the parameter inicio is missing$/,
    ],
    [
      'a parameter that is not there',
      { method: 'GET', path: '/cob?inicio=2026-11-23T12:00:00Z&fim=x', request: undefined, status: 200, response: [] },
      /^request: the parameter fim is not in the document$/,
    ],
    [
      'an item of a list',
      {
        method: 'GET',
        path: '/cob?inicio=2026-11-23T12:00:00Z',
        request: undefined,
        status: 200,
        response: [{ ...response, x: 1 }],
      },
      /^answer 200\.0 must NOT .*\(x\)$/,
    ],
  ])('%s', (_, changes, expected) => {
    expect(differences(changes)).toEqual([expect.stringMatching(expected)]);
  });

  test('the request of a rejected call is not compared, and its answer is', () => {
    const rejected = { status: 403, contentType: 'application/problem+json', response: { title: 'Acesso Negado' } };
    expect(differences({ request: 'nonsense', ...rejected })).toEqual([]);
  });

  test('a callback that is not as declared', () => {
    expect(document.callbackDifferences('PUT /cob/{txid}', { pix: [{ txid: 'abcde' }] })).toHaveLength(1);
    expect(document.callbackDifferences('GET /cob', {})).toEqual(['GET /cob declares no callback']);
  });
});
