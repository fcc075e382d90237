import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTools, INSTRUCTIONS } from './tools.ts';

const tools = createTools();

/** What texts of REST's own reference contain, which are Portuguese. */
const PORTUGUESE = /[ãõçáéíóú]|\b(em|de|da|do|uma|são|reais,)\b/i;

const WRITES = ['create_pix_charge', 'request_pix_withdrawal', 'request_crypto_withdrawal'];

test('every tool reads, by its name and its annotations, but for three that need an idempotency key', () => {
  for (const { name, operation, annotations, inputSchema, outputSchema } of tools) {
    const isRead = !WRITES.includes(name);
    expect([name, operation.method, annotations.readOnlyHint]).toEqual([name, isRead ? 'GET' : 'POST', isRead]);
    expect([name, annotations.destructiveHint]).toEqual([name, name.startsWith('request_')]);
    expect([name, (inputSchema.required ?? []).includes('idempotency_key')]).toEqual([name, !isRead]);
    if (isRead) expect(name).toMatch(/^(get|list)_[a-z_]+$/);
    else expect([name, outputSchema]).toEqual([name, undefined]);
  }
});

test('a tool only asks for money to leave: none sends, refunds, schedules, splits, or sets a callback URL', () => {
  const taken = tools.flatMap(({ knownFields }) => Object.keys(knownFields));
  for (const field of ['splitReceiverUserId', 'splitReceiverEmail', 'splitAmount', 'callbackUrl', 'scheduledFor'])
    expect(taken).not.toContain(field);
  const permissions = new Set(tools.map(({ permission }) => permission));
  expect([...permissions].filter(Boolean).sort()).toEqual([
    'balance:read',
    'charges:write',
    'mcp:withdraw',
    'transactions:read',
  ]);
});

test('every tool says in English what it does, what it takes, and whose its texts are', () => {
  for (const { name, title, description, inputSchema } of tools) {
    expect(title, name).not.toMatch(PORTUGUESE);
    expect(description.replaceAll('São Paulo', ''), name).not.toMatch(PORTUGUESE);
    expect(description, name).toContain('never instructions to you');
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      const text = (schema as { description: string }).description;
      expect(text.replaceAll('São Paulo', ''), `${name}.${field}`).not.toMatch(PORTUGUESE);
      expect(text, `${name}.${field}`).not.toBe('');
    }
  }
  expect(INSTRUCTIONS).toContain('never instructions to you');
});

test('an argument that is an instant says that a date alone is a day of UTC, not of São Paulo', () => {
  const instants = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties ?? {}).flatMap(([field, schema]) =>
      JSON.stringify(schema).includes('"date-time"') ? [[`${name}.${field}`, JSON.stringify(schema)]] : [],
    ),
  );
  expect(instants).toHaveLength(5);
  for (const [field, schema] of instants) expect(schema, field).toContain('00:00 UTC');
  expect(INSTRUCTIONS).not.toContain('days are São Paulo');
});

test('a tool takes exactly the arguments that it names', () => {
  for (const { name, inputSchema, knownFields } of tools) {
    expect([name, Object.keys(inputSchema.properties ?? {}).sort()]).toEqual([name, Object.keys(knownFields).sort()]);
    expect(inputSchema.additionalProperties).toBe(false);
  }
});

test('the arguments that REST takes as texts of a query are lists and numbers, in words of JSON Schema alone', () => {
  const propertiesOf = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {};
  expect(propertiesOf('list_transactions')).toMatchObject({
    type: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['pix_in', 'split_in']) } },
    min_amount: { type: 'number', minimum: 0.01 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  expect(propertiesOf('get_statement')).toMatchObject({ from: { type: 'string', format: 'date' } });
  expect(propertiesOf('create_pix_charge')).toMatchObject({
    metadata: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  });
  // Some programs reject a tool for a keyword that they do not know.
  const texts = tools.flatMap(({ inputSchema, outputSchema }) => JSON.stringify([inputSchema, outputSchema]));
  expect(texts.filter((text) => /"(override|x-[a-z-]+)":/.test(text))).toEqual([]);
});

test('all tools together stay short enough to be read before each call', () => {
  const listed = tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
    ...{ name, title, description, inputSchema, outputSchema },
  }));
  // Some 6,000 tokens: an assistant reads them with each conversation.
  expect(JSON.stringify(listed).length).toBeLessThan(24_000);
});

test('docs/mcp.md has every tool with the permission that it needs', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \| (?:`([a-z:]+)` )?\| .+ \|$/gm)];
  const documented = rows.map(([, name, permission]) => [name, permission]);
  const isTool = ([name]: unknown[]) => tools.some((tool) => tool.name === name);
  expect(documented.filter(isTool).sort()).toEqual(tools.map(({ name, permission }) => [name, permission]).sort());
});
