import type { OperationShapes } from '../../trilho-node/scripts/reduce-document.ts';
import { type Direction, pythonType, type Schema, shapeOf } from './python-types.ts';

/** The shapes of the reduced document, by their names. */
export type Shapes = Record<string, Schema>;

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
/** The names that pydantic's models have themselves. */
const TAKEN = new Set(['construct', 'copy', 'dict', 'json', 'parse_obj', 'schema', 'validate']);
const HEAD = "# Generated from the API's document when the library is built.\nfrom __future__ import annotations\n";

/**
 * The module of the received models: every shape that an answer or an event has, and the fields of
 * an error.
 */
export function modelsModule(shapes: Shapes, operations: OperationShapes[]): string {
  const { oneOf: events = [] } = shapes.WebhookEvent ?? {};
  const eventNames = events.map(({ $ref = '' }) => shapeOf($ref));
  const names = reachable(shapes, [
    ...operations.map(({ answer }) => answer),
    ...eventNames,
    'FieldError',
    'Warning',
    'ErrorCode',
  ]);
  const [models, aliases] = partition(names, (name) => shapes[name]?.properties !== undefined);
  const types = eventNames.flatMap((name) => eventTypes(shapes, name).map((type) => `    ${quoted(type)}: ${name},`));
  return [
    HEAD,
    'from datetime import date, datetime',
    'from decimal import Decimal',
    'from typing import Any, Literal',
    '',
    'from pydantic import Field',
    '',
    'from .._model import Model',
    '',
    allOf([...aliases, ...models, 'UnknownEvent', 'WebhookEvent']),
    ...aliases.map((name) => alias(name, shapes, 'received', plain)),
    ...models.map((name) => modelClass(name, shapes[name] ?? {}, eventNames.includes(name))),
    UNKNOWN_EVENT,
    `WebhookEvent = ${[...eventNames, 'UnknownEvent'].join(' | ')}\n`,
    `#: Which model an event of a type is read as.\nEVENT_CLASSES: dict[str, type[${eventNames.join(' | ')}]] = {\n${types.join('\n')}\n}\n`,
  ].join('\n');
}

/**
 * The module of the typed dictionaries that are sent, with which a field that is newer than the
 * library can be sent, too.
 */
export function paramsModule(shapes: Shapes, operations: OperationShapes[]): string {
  const roots = operations.flatMap(({ body, query }) => [body, query]).filter((name) => name !== null);
  const names = reachable(shapes, roots);
  const [objects, aliases] = partition(names, (name) => shapes[name]?.properties !== undefined);
  return [
    HEAD,
    'from collections.abc import Mapping, Sequence',
    'from datetime import date, datetime',
    'from decimal import Decimal',
    'from typing import Literal, Required, TypedDict',
    'from uuid import UUID',
    '',
    allOf(objects.map(sentName)),
    ...aliases.map((name) => alias(name, shapes, 'sent', sentName)),
    ...objects.map((name) => typedDictionary(sentName(name), shapes[name] ?? {})),
  ].join('\n');
}

/** The module that has a constant for each operation, with the model of its answer. */
export function operationsModule(operations: OperationShapes[]): string {
  const answers = [...new Set(operations.map(({ answer }) => answer))].sort();
  return [
    HEAD,
    'from .._operation import Operation',
    `from .models import (\n${answers.map((name) => `    ${name},`).join('\n')}\n)`,
    '',
    ...operations.map(
      ({ operationId, name, answer }) => `${constantName(operationId)} = Operation(${quoted(name)}, ${answer})`,
    ),
    `\nALL: tuple[str, ...] = (\n${operations.map(({ name }) => `    ${quoted(name)},`).join('\n')}\n)\n`,
  ].join('\n');
}

/** `createPixCharge` is CREATE_PIX_CHARGE. */
export const constantName = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const UNKNOWN_EVENT = `
class UnknownEvent(Model):
    """An event of a type that is newer than this library."""

    id: str
    type: str
    timestamp: datetime
    livemode: bool
    data: dict[str, Any]

`;

const plain = (name: string): string => name;

/** The name of a shape in a request, where it has other types than in an answer. */
const sentName = (name: string): string => (/(Body|Query)$/.test(name) ? name : `${name}Body`);

function modelClass(name: string, { properties = {}, required = [], description }: Schema, isEvent: boolean): string {
  const fields = Object.entries(properties).map(([field, schema]) => {
    // An event is parsed by its type: another type is another model, or UnknownEvent.
    const type = pythonType(schema, isEvent && field === 'type' ? 'sent' : 'received', plain);
    const isRequired = required.includes(field);
    const full = isRequired || / ?None$/.test(type) ? type : `${type} | None`;
    const own = attributeName(field);
    const missing = isRequired ? '' : ' = None';
    // With an alias where Python does not allow the field's own name.
    const aliased = ` = Field(${isRequired ? '' : 'default=None, '}alias=${quoted(field)})`;
    const value = own === field ? missing : aliased;
    return `    ${own}: ${full}${value}\n${docstring(schema.description)}`;
  });
  return `\nclass ${name}(Model):\n${docstring(description)}${fields.join('') || '    pass\n'}`;
}

function typedDictionary(name: string, { properties = {}, required = [], description }: Schema): string {
  const typed = Object.entries(properties).map(([field, schema]) => {
    const type = pythonType(schema, 'sent', sentName);
    return { field, type: required.includes(field) ? `Required[${type}]` : type, description: schema.description };
  });
  const [named, others] = partition(typed, ({ field }) => attributeName(field) === field || TAKEN.has(field));
  // A keyword of Python can't be a field of a class.
  const base = others.length === 0 ? 'TypedDict' : `_${name}Others`;
  const items = others.map(({ field, type }) => `${quoted(field)}: ${quoted(type)}`);
  const before = `\n${base} = TypedDict(${quoted(base)}, {${items.join(', ')}}, total=False)\n\n`;
  const fields = named.map((row) => `    ${row.field}: ${row.type}\n${docstring(row.description)}`);
  return `${others.length === 0 ? '' : before}\nclass ${name}(${base}, total=False):\n${docstring(description)}${fields.join('') || '    pass\n'}`;
}

function alias(name: string, shapes: Shapes, direction: Direction, nameOf: (shape: string) => string): string {
  return `${nameOf(name)} = ${pythonType(shapes[name] ?? {}, direction, nameOf)}`;
}

function attributeName(field: string): string {
  if (!/^[A-Za-z]\w*$/.test(field) || field.startsWith('model_')) throw new Error(`${field} can't be an attribute.`);
  return KEYWORDS.has(field) || TAKEN.has(field) ? `${field}_` : field;
}

function eventTypes(shapes: Shapes, name: string): string[] {
  const { enum: values, const: only } = shapes[name]?.properties?.type ?? {};
  return (values ?? [only]).map(String);
}

/**
 * Returns these shapes and all that they refer to, each after the shapes that it refers to: a name
 * that is read before it is defined may be one of Python's own, as `Warning` is. Throws where a
 * shape is missing.
 */
function reachable(shapes: Shapes, roots: string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const shape = shapes[name];
    if (!shape) throw new Error(`The document has no shape ${name}.`);
    for (const [, reference = ''] of JSON.stringify(shape).matchAll(/"\$ref":"([^"]+)"/g)) visit(shapeOf(reference));
    found.add(name);
  };
  roots.sort().forEach(visit);
  return [...found];
}

const allOf = (names: string[]): string =>
  `__all__ = [\n${[...names]
    .sort()
    .map((name) => `    ${quoted(name)},`)
    .join('\n')}\n]\n`;

function docstring(text: string | undefined): string {
  if (!text) return '';
  return `    """${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""\n`;
}

const quoted = (text: string): string => JSON.stringify(text);

function partition<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
