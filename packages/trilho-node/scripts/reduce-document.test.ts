import { expect, test } from 'vitest';
import { errorCodesOf, type OpenApiDocument, reduceDocument } from './reduce-document.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema: schema as Record<string, unknown> } } });
const shape = (name: string) => json({ $ref: `#/components/schemas/${name}` });
const failing = (code: string) => ({
  content: { 'application/json': { schema: { $ref: '#' }, examples: { [code]: { value: { code } } } } },
});

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: {} },
          { name: 'from', in: 'query', required: true, description: 'A day.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
        ],
        responses: { 200: shape('GetThingAnswer'), 404: failing('thing_not_found'), 500: { $ref: '#' } },
      },
      post: {
        operationId: 'makeThing',
        requestBody: shape('MakeThingBody'),
        responses: { 201: shape('MakeThingAnswer'), 404: failing('thing_not_found') },
      },
    },
  },
  components: {
    schemas: {
      ErrorBody: {},
      CryptoErrorBody: {},
      MakeThingBody: {},
      Thing: { properties: { type: { type: 'string', 'x-extensible-enum': ['a', 'b'] } } },
    },
  },
};

test('an operation’s query is named after it, and its errors are left out', () => {
  const { document, operations } = reduceDocument(DOCUMENT);
  expect(document).toMatchObject({
    paths: {},
    components: {
      schemas: {
        GetThingQuery: {
          type: 'object',
          properties: { from: { type: 'string', description: 'A day.' }, limit: { type: 'integer' } },
          required: ['from'],
        },
        MakeThingBody: {},
        Thing: { properties: { type: { type: 'string', enum: ['a', 'b'] } } },
      },
    },
  });
  expect(document).not.toHaveProperty('components.schemas.ErrorBody');
  expect(operations).toEqual([
    { operationId: 'getThing', name: 'GET /things/{id}', body: null, query: 'GetThingQuery', answer: 'GetThingAnswer' },
    {
      operationId: 'makeThing',
      name: 'POST /things/{id}',
      body: 'MakeThingBody',
      query: null,
      answer: 'MakeThingAnswer',
    },
  ]);
});

test('a document with an unnamed body is rejected', () => {
  const responses = { 200: json({ type: 'object' }) };
  const paths = { '/x': { get: { operationId: 'getX', responses } } };
  expect(() => reduceDocument({ ...DOCUMENT, paths })).toThrow('without a name');
});

test('a document without a successful answer of an operation is rejected', () => {
  const paths = { '/x': { get: { operationId: 'getX', responses: {} } } };
  expect(() => reduceDocument({ ...DOCUMENT, paths })).toThrow('getX');
});

test('the codes of an answer are the names of its examples', () => {
  expect(errorCodesOf(failing('thing_not_found'))).toEqual(['thing_not_found']);
  expect(errorCodesOf(shape('Thing'))).toEqual([]);
});
