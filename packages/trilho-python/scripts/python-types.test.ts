import { expect, test } from 'vitest';
import { pythonType, type Schema } from './python-types.ts';

const received = (schema: Schema) => pythonType(schema, 'received', (name) => name);
const sent = (schema: Schema) => pythonType(schema, 'sent', (name) => `${name}Body`);

test.each<[Schema, string, string]>([
  [{ type: 'string' }, 'str', 'str'],
  [{ type: 'number', format: 'double' }, 'Decimal', 'Decimal | float'],
  [{ type: 'integer' }, 'int', 'int'],
  [{ type: 'boolean' }, 'bool', 'bool'],
  [{ type: 'boolean', const: true }, 'bool', 'bool'],
  [{ type: 'string', format: 'uuid' }, 'str', 'UUID | str'],
  [{ type: 'string', format: 'email' }, 'str', 'str'],
  [{ type: 'string', format: 'date-time' }, 'datetime', 'datetime | str'],
  [{ type: ['string', 'null'], format: 'date' }, 'date | None', 'date | str | None'],
  [{ type: 'string', enum: ['a', 'b'] }, 'Literal["a", "b"] | str', 'Literal["a", "b"]'],
  [{ type: ['string', 'null'], enum: ['a', null] }, 'Literal["a"] | str | None', 'Literal["a"] | None'],
  [{ type: 'string', const: 'a' }, 'Literal["a"] | str', 'Literal["a"]'],
  [{ type: 'array', items: { type: 'number' } }, 'list[Decimal]', 'Sequence[Decimal | float]'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'dict[str, str]', 'Mapping[str, str]'],
  [{ $ref: '#/components/schemas/Split' }, 'Split', 'SplitBody'],
  [{ anyOf: [{ $ref: '#/components/schemas/Split' }, { type: 'null' }] }, 'Split | None', 'SplitBody | None'],
  [
    {
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
    },
    'datetime | date',
    'datetime | str | date',
  ],
])('%j comes as %s and is sent as %s', (schema, comes, goes) => {
  expect(received(schema)).toBe(comes);
  expect(sent(schema)).toBe(goes);
});

test.each<[Schema, string]>([
  [{ type: 'object', properties: { a: { type: 'string' } } }, 'without a name: a'],
  [{ type: 'object' }, 'no type in Python'],
  [{ type: 'file' }, 'no type in Python'],
])('no type is generated from %j', (schema, reason) => {
  expect(() => received(schema)).toThrow(reason);
});
