import { expect, test } from 'vitest';
import { constantName, modelsModule, operationsModule, paramsModule, type Shapes } from './python-modules.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const SHAPES: Shapes = {
  ErrorCode: { type: 'string', enum: ['internal'] },
  FieldError: { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
  Warning: { type: 'object', properties: { message: { type: 'string', description: 'Say "why": \\.' } } },
  Answer: {
    type: 'object',
    properties: { data: reference('Thing'), warnings: { type: 'array', items: reference('Warning') } },
    required: ['data'],
  },
  Thing: {
    type: 'object',
    description: 'A thing.',
    properties: {
      amount: { type: 'number', description: 'In reais.' },
      from: { type: 'string' },
      kind: reference('Kind'),
    },
    required: ['amount', 'from', 'kind'],
  },
  Kind: { type: 'string', enum: ['big'] },
  Query: {
    type: 'object',
    properties: { from: { type: 'string', format: 'date' }, kind: { type: 'array', items: reference('Kind') } },
    required: ['kind'],
  },
  AnEvent: {
    type: 'object',
    properties: { type: { type: 'string', enum: ['a.b', 'a.c'] }, data: reference('Thing') },
    required: ['type', 'data'],
  },
  WebhookEvent: { oneOf: [reference('AnEvent')] },
};
const OPERATIONS = [
  { operationId: 'getThing', name: 'GET /things/{id}', body: null, query: 'Query', answer: 'Answer' },
];

test('a model has the fields of its shape, None for optional ones, and its descriptions', () => {
  const text = modelsModule(SHAPES, OPERATIONS);
  expect(text).toContain(`
class Thing(Model):
    """A thing."""
    amount: Decimal
    """In reais."""
    from_: str = Field(alias="from")
    kind: Kind
`);
  expect(text).toContain('    data: Thing\n    warnings: list[Warning] | None = None\n');
  expect(text).toContain('"""Say \\"why\\": \\\\."""');
  expect(text).toContain('Kind = Literal["big"] | str');
});

test('a shape comes before those that refer to it, so that its name is not read as one of Python’s', () => {
  const text = modelsModule(SHAPES, OPERATIONS);
  expect(text.indexOf('class Warning(')).toBeGreaterThan(0);
  expect(text.indexOf('class Warning(')).toBeLessThan(text.indexOf('class Answer('));
});

test('an event’s model is found by its types, and accepts no other', () => {
  const text = modelsModule(SHAPES, OPERATIONS);
  expect(text).toContain('    "a.b": AnEvent,\n    "a.c": AnEvent,\n');
  expect(text).toContain('WebhookEvent = AnEvent | UnknownEvent');
  expect(text).toContain('    type: Literal["a.b", "a.c"]\n');
});

test('the params of a request are a typed dictionary, which may have keywords of Python as fields', () => {
  const text = paramsModule(SHAPES, OPERATIONS);
  expect(text).toContain(`
_QueryOthers = TypedDict("_QueryOthers", {"from": "date | str"}, total=False)


class Query(_QueryOthers, total=False):
    kind: Required[Sequence[KindBody]]
`);
  expect(text).not.toContain('Thing');
});

test('each operation has a constant with its answer', () => {
  expect(operationsModule(OPERATIONS)).toContain('GET_THING = Operation("GET /things/{id}", Answer)');
  expect(constantName('createPixCharge')).toBe('CREATE_PIX_CHARGE');
});

test('a document with a missing shape, or a field that can’t be an attribute, is rejected', () => {
  const { Kind: _, ...without } = SHAPES;
  expect(() => modelsModule(without, OPERATIONS)).toThrow('no shape Kind');
  const wrong = { ...SHAPES, Thing: { properties: { 'a-b': { type: 'string' } } } };
  expect(() => modelsModule(wrong, OPERATIONS)).toThrow("a-b can't be an attribute");
});
