import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { cryptoErrorBody, errorBody } from '#contract/error-body.ts';
import { HISTORY_EVENTS } from '#contract/transactions/transactions.ts';
import { OPEN_SET } from '#contract/value-sets.ts';
import { WEBHOOK_BODIES } from '#contract/webhooks/webhook-bodies.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { readBrCode } from '#domain/charges/read-br-code.ts';
import { API_ERROR_CODES, type ApiErrorCode, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import type { InvoiceStep } from '#domain/invoices/invoice-settlement.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/quotes/currencies.ts';
import {
  CHARGE_TRANSITIONS,
  CRYPTO_WITHDRAWAL_TRANSITIONS,
  PIX_WITHDRAWAL_TRANSITIONS,
  TRANSACTION_TYPES,
} from '#domain/transactions/transaction-states.ts';
import { parseWallet } from '#domain/withdrawals/wallet-address.ts';
import { messages } from '#messages/messages.ts';
import { withoutSecrets } from '../../procedures/requests/replay.ts';
import { exampleOf, restDocument, restProcedures, schemaOf } from './document.ts';
import { nameSchema, shareSchemas } from './document-components.ts';
import { DEPOSIT_WALLET, DESTINATION_WALLET } from './document-ids.ts';
import { errorExample, type Operation, type Response } from './document-operation.ts';
import { type Schema, withoutNames } from './document-schemas.ts';
import { EXAMPLES } from './examples.ts';
import { danglingReferences, follow, inlined, reencoded, references, schemaErrors } from './testing/document-checks.ts';

const document = restDocument();

const OPERATIONS = restProcedures().map(({ name, meta, inputSchema, outputSchema }) => {
  const { path, method } = meta.openapi;
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation;
  return { name, meta, inputSchema, outputSchema, operation, method, example: exampleOf(name) };
});

test('the committed document, which is served, is what the procedures say', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../../public/openapi.json'), 'utf8');
  const same = committed === `${JSON.stringify(document, null, 2)}\n`;
  expect(same, 'public/openapi.json is not what the procedures say: run `npm run openapi`').toBe(true);
});

test('every reference leads somewhere', () => {
  expect(danglingReferences(document)).toEqual([]);
  expect(danglingReferences({ a: { $ref: '#/b' }, c: { $ref: '#/a' } })).toEqual(['#/b']);
});

test('every object has a name of its own, so that generated clients have a type for it', () => {
  expect([...unnamedObjects(document)]).toEqual([]);
  const object: Schema = { type: 'object', properties: { b: { type: 'object', properties: {} } } };
  expect([...unnamedObjects({ components: { schemas: { A: object } } })]).toEqual([
    '/components/schemas/A/properties/b',
  ]);
});

test('a member with a set of values lists them, so that a client knows them before it meets one', () => {
  const names =
    /^(status|previous_status|sub_status|type|state|mode|topic|reason|side|.*_?documentType|.*_type|kyc_status)$/i;
  const isListed = (schema: Schema): boolean =>
    [schema, ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].some(
      (one) => (one.enum ?? one.const ?? one[OPEN_SET]) !== undefined,
    );
  const members = Object.entries(document.components.schemas).flatMap(([shape, { properties = {} }]) =>
    Object.entries(properties).map(([name, schema]) => ({ at: `${shape}.${name}`, name, schema })),
  );
  const sets = members.filter(({ name }) => names.test(name));
  expect(sets.length).toBeGreaterThan(50);
  const unlisted = sets.filter(
    ({ schema }) => !isListed(inlined(document, schema) as Schema) && schema.type !== 'null',
  );
  // Echoed as it was sent, in any case.
  expect(unlisted.map(({ at }) => at)).toEqual(['PixChargeCustomer.document_type']);
});

test('no shape has the name that generators make of another shape and its member', () => {
  const pascal = (text: string) => text.replaceAll(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  const made = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([member, { enum: values, const: only }]) =>
      values === undefined && only === undefined ? [] : [name + pascal(member)],
    ),
  );
  expect(made).toContain('PixChargeStatus');
  expect(made.filter((name) => name in document.components.schemas)).toEqual([]);
});

test('a name stands for the shape that the contract gives it, and for nothing less', () => {
  for (const { outputSchema, operation, meta } of OPERATIONS) {
    const answer = operation.responses[meta.rest?.status ?? 200] as Response;
    const { properties, ...rest } = inlined(document, answer.content['application/json'].schema) as Schema;
    const { warnings: _, ...own } = properties ?? {};
    expect({ ...rest, properties: own }).toEqual(withoutNames(schemaOf(outputSchema)));
  }
  for (const [name, body] of Object.entries(WEBHOOK_BODIES))
    expect(inlined(document, document.components.schemas[name])).toEqual(withoutNames(schemaOf(body)));
});

test('a description that differs by place stays at each place, and two shapes of one name are an error', () => {
  const text = (description: string): Schema => nameSchema('Text', { type: 'string', description });
  const reference = '#/components/schemas/Text';
  expect(shareSchemas({ a: text('A.'), b: text('A.') })).toEqual({
    part: { a: { $ref: reference }, b: { $ref: reference } },
    schemas: { Text: { description: 'A.', type: 'string' } },
  });
  expect(shareSchemas({ a: text('A.'), b: text('B.') })).toEqual({
    part: { a: { $ref: reference, description: 'A.' }, b: { $ref: reference, description: 'B.' } },
    schemas: { Text: { type: 'string' } },
  });
  const other = nameSchema('Text', { type: 'integer' });
  expect(() => shareSchemas({ a: text('A.'), other })).toThrow('Two shapes have the name Text.');
});

test('every component is used, but for the security scheme and the schema of any event, which is for receivers', () => {
  const used = new Set(references(document));
  const unused = Object.entries(document.components).flatMap(([kind, components]) =>
    Object.keys(components).filter((name) => !used.has(`#/components/${kind}/${name}`)),
  );
  expect(unused).toEqual(['x-api-key', 'WebhookEvent']);
});

test('the document names no host', () => {
  expect(document.servers.map(({ url }) => url)).toEqual(['/', '/api']);
});

test('every number is a double, and of no steps, by which validators reject 0.07', () => {
  const numbers = [...numbersIn(document)];
  expect(numbers.length).toBeGreaterThan(70);
  expect(numbers.filter(({ schema }) => schema.format !== 'double').map(({ at }) => at)).toEqual([]);
  expect(numbers.filter(({ schema }) => schema.multipleOf !== undefined).map(({ at }) => at)).toEqual([]);
});

test('every amount with two decimals up to R$ 200,00 is accepted', () => {
  const { inputSchema } = OPERATIONS.find(({ name }) => name === 'charges.create') ?? OPERATIONS[0] ?? expect.fail();
  const rejected = Array.from({ length: 20_000 }, (_, n) => (n + 1) / 100).filter(
    (amount) => !inputSchema.safeParse({ amount }).success,
  );
  expect(rejected).toEqual([]);
});

test('no two examples have one Idempotency-Key: sent one after the other, none is rejected for it', () => {
  const keys = OPERATIONS.flatMap(({ example }) => example.idempotencyKey ?? []);
  expect(keys).toHaveLength(OPERATIONS.filter(({ method }) => method === 'POST').length);
  expect(new Set(keys).size).toBe(keys.length);
});

test('no example of a library has the Idempotency-Key of one of the reference, whose request is another', () => {
  const folder = join(import.meta.dirname, '../../../../packages');
  const taken = new Set(OPERATIONS.flatMap(({ example }) => example.idempotencyKey ?? []));
  for (const library of ['trilho-node', 'trilho-python']) {
    const readme = readFileSync(join(folder, library, 'README.md'), 'utf8');
    const keys = [...readme.matchAll(/idempotency(?:Key: |_key=)['"]([^'"]+)['"]/g)].map(([, key = '']) => key);
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.filter((key) => taken.has(key))).toEqual([]);
  }
});

test('what is said of a repeated Idempotency-Key names the operations whose answers then lack their secrets', () => {
  const shownOnce = OPERATIONS.filter(({ meta }) => meta.secrets).map(({ meta }) => meta.openapi.path);
  const texts = [document.info.description, ...Object.values(messages).map(({ docs }) => docs.secrets.text)];
  for (const text of texts) {
    const [sentence = ''] = /[^.]*\bnull\b[^.]*/.exec(text.replaceAll("'", '')) ?? [];
    const named = [...sentence.matchAll(/POST (\/[\w/{}-]+)/g)].map(([, path]) => path);
    expect(named.sort()).toEqual(shownOnce.sort());
  }
});

test('no two operations have one id', () => {
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every operation, group and event has its heading in the catalogue of each language, and none is left over', () => {
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);
  const groups = OPERATIONS.flatMap(({ operation }) => operation.tags ?? []);
  for (const { docs } of Object.values(messages)) {
    expect(Object.keys(docs.operations).sort(), 'docs.operations of src/messages').toEqual([...ids].sort());
    expect(Object.keys(docs.events.types).sort(), 'docs.events.types of src/messages').toEqual(
      Object.keys(document.webhooks)
        .map((type) => type.replace('.', '_'))
        .sort(),
    );
    // Webhooks are no operations of the service.
    expect(Object.keys(docs.tags).sort(), 'docs.tags of src/messages').toEqual(
      [...new Set([...groups, 'webhooks'])].sort(),
    );
  }
});

test('names that generators make code of are ASCII, and readers see the Portuguese ones', () => {
  const names = [...document.tags.map(({ name }) => name), ...Object.keys(document.components.schemas)];
  expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  expect(document.tags.find(({ name }) => name === 'transactions')?.['x-displayName']).toBe('Transações');
});

test('any event is one of the bodies of events, and its type says which', () => {
  const { oneOf, discriminator } = document.components.schemas.WebhookEvent as Schema & {
    discriminator: { mapping: Record<string, string> };
  };
  expect(oneOf).toEqual(Object.keys(WEBHOOK_BODIES).map((name) => ({ $ref: `#/components/schemas/${name}` })));
  const sent = Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json'];
    return [type, schema.$ref];
  });
  expect(Object.entries(discriminator.mapping).sort()).toEqual(sent.sort());
});

test('every error of the catalogue that an operation can give is in the document', () => {
  // These answer what is no operation of REST, or no request at all.
  const elsewhere: ApiErrorCode[] = [
    'key_call_cap_exceeded',
    'key_day_cap_reached',
    'origin_not_allowed',
    'charge_not_payable',
    'bad_request',
    'route_not_found',
    'method_not_allowed',
  ];
  const documented = new Set<string>(
    OPERATIONS.flatMap(({ operation }) => errorExamples(operation).map(({ code }) => code)),
  );
  expect(API_ERROR_CODES.filter((code) => !documented.has(code))).toEqual(elsewhere);
});

test('what the document says of permissions is what each procedure asks of a key', () => {
  const asked = OPERATIONS.map(({ name, meta }) => [name, meta.permission ? [meta.permission] : []]);
  expect(OPERATIONS.map(({ name, operation }) => [name, operation.security[0]?.['x-api-key']])).toEqual(asked);
  expect(new Set(asked.flatMap(([, permissions]) => permissions))).toEqual(new Set(PERMISSIONS));
});

describe.each(OPERATIONS)('$name', ({ meta, inputSchema, outputSchema, operation, method, example }) => {
  test('says what it does, for whom, and with which headers', () => {
    expect(operation).toMatchObject({
      operationId: expect.stringMatching(/^[a-z]+[A-Za-z]+$/),
      summary: expect.stringMatching(/^[A-ZÀ-Ú][^.]+$/),
      description: expect.stringMatching(/^[A-ZÀ-Ú].*\.$/),
      security: [{ 'x-api-key': expect.any(Array) }],
    });
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags?.[0]);
    const names = operation.parameters.map((parameter) => follow<{ name: string }>(document, parameter).name);
    expect(names.includes('Idempotency-Key')).toBe(method === 'POST');
    for (const parameter of operation.parameters) {
      const { description, schema } = follow<{ description?: string; schema: object }>(document, parameter);
      expect([typeof description, typeof schema]).toEqual(['string', 'object']);
    }
    for (const reference of Object.values(operation.responses)) {
      const { headers } = follow<Response>(document, reference);
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-request-id', 'x-api-version']));
    }
  });

  // ASVS 2.1.1
  test('has an example that the contract and the documented schema both accept, request and answer', () => {
    expect(inputSchema.safeParse(example.input).error).toBeUndefined();
    expect(reencoded(outputSchema, example.output)).toEqual(example.output);
    const body = operation.requestBody?.content['application/json'];
    if (body) expect(schemaErrors(document, body.schema, body.example)).toEqual([]);
    for (const parameter of operation.parameters)
      if ('schema' in parameter && parameter.example !== undefined)
        expect(schemaErrors(document, parameter.schema, parameter.example)).toEqual([]);
    const answer = operation.responses[meta.rest?.status ?? 200] as Response;
    expect(schemaErrors(document, answer.content['application/json'].schema, example.output)).toEqual([]);
    // As it is answered again under its Idempotency-Key.
    const repeated = withoutSecrets(example.output, meta.secrets);
    expect(schemaErrors(document, answer.content['application/json'].schema, repeated)).toEqual([]);
  });

  test('has each of its errors under its status, with the body that the contract gives', () => {
    const examples = errorExamples(operation);
    expect(examples.map(({ code }) => code)).toEqual(expect.arrayContaining([...(meta.rest?.errors ?? [])]));
    for (const { code, status, body, schema } of examples) {
      expect(status, code).toBe(ERROR_CATALOGUE[code].status);
      const shape: z.ZodType = meta.rest?.crypto && code !== 'kyc_not_approved' ? cryptoErrorBody : errorBody;
      expect(shape.parse(body), code).toEqual(body);
      expect(body, code).toMatchObject({ code });
      expect(schemaErrors(document, schema, body), code).toEqual([]);
    }
  });

  test('has a body of its family under each status of errors, so that a client reads all of them alike', () => {
    for (const [status, reference] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const { schema, examples = {} } = follow<Response>(document, reference).content['application/json'];
      const bodies = (schema as Schema).anyOf ?? [schema];
      const names = meta.rest?.crypto ? ['CryptoErrorBody'] : ['ErrorBody'];
      if (meta.rest?.crypto && 'kyc_not_approved' in examples) names.unshift('ErrorBody');
      expect(bodies, status).toEqual(names.map((name) => ({ $ref: `#/components/schemas/${name}` })));
    }
  });

  test('rejects what its examples call rejected, under the code they name', () => {
    for (const [code, rejected] of Object.entries(example.rejected ?? {})) {
      expect(inputSchema.safeParse({ ...example.input, ...rejected }).success, code).toBe(false);
      const alone = { ...example, rejected: { [code]: rejected } };
      const body = errorExample(code as ApiErrorCode, { meta, inputSchema, example: alone });
      const { error, message } = ERROR_CATALOGUE[code as ApiErrorCode];
      expect(body).toMatchObject(meta.rest?.crypto ? { message: error } : { error, message });
    }
  });
});

/** What an event's data says of the transaction that it is about. */
const dataOf = (family = ''): object => {
  if (family === 'webhook') return { topic: 'deposit' };
  return { type: family === 'dispute' ? 'pix_in' : family };
};

describe.each(Object.entries(document.webhooks))('the event %s', (type, { post }) => {
  test('has a text and an example that its contract and its schema both accept', () => {
    expect(post.summary).toMatch(/^[A-ZÀ-Ú]/);
    const { schema, example } = post.requestBody.content['application/json'];
    const [family] = type.split('.');
    expect(example).toMatchObject({ type, data: dataOf(family) });
    const body = Object.values(WEBHOOK_BODIES).find(({ shape }) => (shape.type.options as string[]).includes(type));
    if (!body) throw new Error(`There is no body of ${type}.`);
    expect(reencoded(body, example)).toEqual(example);
    expect(schemaErrors(document, schema, example)).toEqual([]);
    // A constant, by which generated clients distinguish the bodies.
    const constant = inlined(document, schema as Schema).properties?.data?.properties?.type?.const;
    expect(constant).toBe((dataOf(family) as { type?: string }).type);
  });
});

test('the wallets of the examples are addresses of their currencies, to which the service would send', () => {
  const wallets: string[] = [];
  const walk = (value: unknown, currency: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as Record<string, unknown>;
    const own = members.currency ?? currency;
    for (const name of ['wallet', 'wallet_hash'])
      if (typeof members[name] === 'string' && members[name] !== '' && isCurrencyCode(String(own))) {
        wallets.push(members[name]);
        expect(parseWallet(members[name], own as CurrencyCode), `${name} ${members[name]}`).toBe(members[name]);
      }
    for (const member of Object.values(members)) walk(member, own);
  };
  walk(document, undefined);
  expect(new Set(wallets)).toEqual(new Set([DEPOSIT_WALLET, DESTINATION_WALLET]));
});

test('history.event lists what can happen to a transaction: what the tables of states and of invoices can write, and that it was made', () => {
  const changes = (type: string, table: object) =>
    Object.keys(table).flatMap((status) => (status === 'pending' ? [] : [`${type}.${status}`]));
  const INVOICE_EVENTS: Record<NonNullable<InvoiceStep['event']>, true> = {
    detected: true,
    completed: true,
    underpaid: true,
    overpaid: true,
    expired: true,
    cancelled: true,
    failed: true,
  };
  const written = [
    ...TRANSACTION_TYPES.map((type) => `${type}.created`),
    ...changes('pix_in', CHARGE_TRANSITIONS),
    'pix_in.refund_failed',
    'dispute.opened',
    'dispute.due_soon',
    'dispute.closed',
    ...changes('pix_out', PIX_WITHDRAWAL_TRANSITIONS),
    ...Object.keys(INVOICE_EVENTS).map((event) => `crypto_in.${event}`),
    ...changes('crypto_out', CRYPTO_WITHDRAWAL_TRANSITIONS),
    // It is paid from the beginning.
    'split_in.paid',
  ];
  expect([...HISTORY_EVENTS].sort()).toEqual(written.sort());
  const responses = document.paths['/payments/transactions/{transactionId}']?.get?.responses as Record<
    string,
    Response
  >;
  const { properties } = inlined(document, (responses[200] as Response).content['application/json'].schema as Schema);
  expect(properties?.data?.properties?.history?.items?.properties?.event?.[OPEN_SET]).toEqual(HISTORY_EVENTS);
});

test('the example of a BR Code is a valid one', () => {
  const { qr_code } = EXAMPLES.charges.create.output.data.payment_data;
  expect(readBrCode(qr_code)).toMatchObject({ amount: '150.75', issues: [] });
});

describe('a query parameter is documented as it goes over the wire', () => {
  const parameter = (path: string, name: string) =>
    inlined(document, document.paths[path]?.get?.parameters)?.find((one) => 'name' in one && one.name === name);

  test('a number is documented as a number', () => {
    expect(parameter('/payments/transactions', 'limit')).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    expect(parameter('/payments/quote', 'amount')).toMatchObject({ schema: { type: 'number', minimum: 0.01 } });
  });

  test('a list is documented as one with commas', () => {
    expect(parameter('/payments/transactions', 'type')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { enum: ['pix_in', 'pix_out', 'crypto_in', 'crypto_out', 'split_in'] } },
    });
  });
});

const CODED: Schema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };

test.each<[string, Schema, unknown, string[]]>([
  ['a value that an open set does not list', { type: 'string', [OPEN_SET]: ['a'] }, 'b', [' is none of a']],
  ['another type', { type: 'number' }, '1', [' is no number']],
  ['a missing member', { type: 'object', properties: {}, required: ['a'] }, {}, ['/a is missing']],
  ['a member that is not documented', { type: 'object', properties: {} }, { a: 1 }, ['/a is not documented']],
  ['an item', { type: 'array', items: { enum: ['a'] } }, ['a', 'b'], ['/1 is none of a']],
  ['a number out of range', { type: 'integer', maximum: 100 }, 101, [' is above 100']],
  [
    'a code that is none of the part that lists them',
    { allOf: [CODED, { type: 'object', properties: { code: { enum: ['a'] } } }] },
    { code: 'b', other: 1 },
    ['/code is none of a', '/other is not documented'],
  ],
  ['a member that a part requires', { allOf: [CODED] }, {}, ['/code is missing']],
  ['no alternative', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, [' is no string', ' is no null']],
])('planted: the checks find %s', (_, schema, value, expected) => {
  expect(schemaErrors(document, schema, value)).toEqual(expected);
});

/** Every schema of a number, with its place. */
function* numbersIn(node: unknown, at = ''): Generator<{ at: string; schema: Schema }> {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Schema;
  if ([schema.type].flat().includes('number')) yield { at, schema };
  for (const [key, member] of Object.entries(node))
    if (key !== 'example' && key !== 'examples') yield* numbersIn(member, `${at}/${key}`);
}

/** Where a schema with members of its own is no component. */
function* unnamedObjects(node: unknown, at = ''): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const isComponent = /^\/components\/schemas\/\w+$/.test(at);
  if (!isComponent && !at.endsWith('/properties') && 'properties' in node) yield at;
  for (const [key, member] of Object.entries(node))
    if (key !== 'example' && key !== 'examples') yield* unnamedObjects(member, `${at}/${key}`);
}

function errorExamples(operation: Operation) {
  return Object.entries(operation.responses).flatMap(([status, reference]) => {
    const { schema, examples } = follow<Response>(document, reference).content['application/json'];
    return Object.entries((examples ?? {}) as Record<ApiErrorCode, { value: unknown }>).map(([code, { value }]) => {
      return { code: code as ApiErrorCode, status: Number(status), body: value, schema };
    });
  });
}
