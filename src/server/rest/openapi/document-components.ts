import { isDeepStrictEqual } from 'node:util';
import { SCHEMA_NAME } from '#contract/named.ts';
import type { Schema } from './document-schemas.ts';

/** Names a shape that is only known here, as `named` names one of the contract. */
export const nameSchema = (name: string, schema: Schema): Schema => ({ ...schema, [SCHEMA_NAME]: name });

/** What belongs to the place where a shape is used, not to the shape. */
type Place = { description?: string; default?: unknown };

type Component = { shape: Schema; descriptions: Set<string | undefined> };

const PREFIX = '#/components/schemas/';

/**
 * Takes the named shapes (`named`) out of a part of the document and puts references in their
 * place, so that a generated client has one type for each. A description that all places of a shape
 * share goes with it; otherwise each place keeps its own, beside its reference. Throws where two
 * shapes have one name.
 */
export function shareSchemas<T>(part: T): { part: T; schemas: Record<string, Schema> } {
  const components = new Map<string, Component>();
  const shared = withReferences(part, components);
  const schemas = Object.fromEntries(
    [...components]
      .map(([name, { shape, descriptions }]): [string, Schema] => {
        const [description] = descriptions;
        return [name, descriptions.size === 1 && description !== undefined ? { description, ...shape } : shape];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const [partOnce, schemasOnce] = withoutRepetition([shared, schemas], schemas) as [T, typeof schemas];
  return { part: partOnce, schemas: schemasOnce };
}

/** Inner shapes first: what is kept of the outer ones refers to them. */
function withReferences<T>(node: T, components: Map<string, Component>): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((member) => withReferences(member, components)) as T;
  const { [SCHEMA_NAME]: name, ...copy } = mapMembers(node, (member) => withReferences(member, components));
  if (typeof name !== 'string') return copy as T;
  const { description, default: initial, ...shape } = copy as Schema & Place;
  const known = components.get(name);
  if (known && !isDeepStrictEqual(known.shape, shape)) throw new Error(`Two shapes have the name ${name}.`);
  if (known) known.descriptions.add(description);
  else components.set(name, { shape, descriptions: new Set([description]) });
  return {
    $ref: PREFIX + name,
    ...(description !== undefined && { description }),
    ...(initial !== undefined && { default: initial }),
  } as T;
}

/** Leaves out what a place says as its shape does. */
function withoutRepetition(node: unknown, schemas: Record<string, Schema>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((member) => withoutRepetition(member, schemas));
  const copy = mapMembers(node, (member) => withoutRepetition(member, schemas));
  const { $ref, description, ...others } = copy as { $ref?: unknown } & Place;
  if (typeof $ref !== 'string' || !$ref.startsWith(PREFIX) || description === undefined) return copy;
  return schemas[$ref.slice(PREFIX.length)]?.description === description ? { $ref, ...others } : copy;
}

/** Examples are values, in which nothing is a schema. */
const mapMembers = (node: object, change: (member: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === 'example' || key === 'examples' ? member : change(member),
    ]),
  );
