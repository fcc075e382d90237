import type { Permission } from '#domain/api-keys/permissions.ts';
import type { Messages } from '#messages/messages.ts';
import openApi from '#public/openapi.json' with { type: 'json' };

export type Schema = {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  'x-extensible-enum'?: string[];
  $ref?: string;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

type ErrorBody = { error?: string; message: string; code: string };

type Ref = { $ref: string };
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: ErrorBody }> };
type Content = { content: { 'application/json': Media } };
/**
 * An operation of the document. Texts of operations and tags are in the catalogue, by these names.
 */
type DocumentOperation = {
  operationId: keyof Messages['docs']['operations'];
  tags: string[];
  security: { 'x-api-key': Permission[] }[];
  parameters: (Parameter | Ref)[];
  requestBody?: Content;
  responses: Record<string, Content | Ref>;
};
type OpenApi = {
  info: { version: string };
  tags: { name: keyof Messages['docs']['tags'] }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: DocumentOperation }>;
  components: {
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; example: unknown }>;
    schemas: Record<string, Schema>;
  };
};

const document = openApi as unknown as OpenApi;

/** The target of a `$ref` of the document. */
export function follow<T extends object>(node: T | Ref): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
  const path = node.$ref.slice('#/'.length).split('/');
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

/**
 * Puts the shapes that a schema refers to into their places, each with what the place says of it:
 * the page shows an operation's fields all together.
 */
function inlined(schema: Schema): Schema {
  const { $ref: _, ...place } = schema;
  const whole: Schema = { ...follow<Schema>(schema), ...place };
  const { properties, items, anyOf } = whole;
  if (properties) whole.properties = Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, inlined(v)]));
  if (items) whole.items = inlined(items);
  if (anyOf) whole.anyOf = anyOf.map(inlined);
  return withNullAsType(whole);
}

/**
 * Turns "a value or null" into a value that may be null, so that what is said of it is shown: its
 * members, its values, its types.
 */
function withNullAsType({ anyOf, ...place }: Schema): Schema {
  const [value, none, ...more] = anyOf ?? [];
  if (value === undefined || none?.type !== 'null' || more.length > 0) return { ...place, ...(anyOf && { anyOf }) };
  if (value.anyOf) return { ...value, ...place, anyOf: [...value.anyOf, none] };
  return { ...value, ...place, type: [value.type ?? 'object', 'null'].flat() };
}

export type Operation = ReturnType<typeof readOperation>;
export type ErrorAnswer = Operation['errors'][number];

function readOperation(path: string, method: string, operation: DocumentOperation) {
  const { operationId: id, tags, parameters, requestBody } = operation;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    return { status: Number(status), ...follow(response).content['application/json'] };
  });
  const answer = responses.find(({ status }) => status < 300);
  if (!answer) throw new Error(`The OpenAPI document has no success of ${id}.`);
  return {
    id,
    tags,
    method: method.toUpperCase() as 'GET' | 'POST',
    path,
    /** The permission that the key needs; null: any key will do. */
    permission: operation.security[0]?.['x-api-key'][0] ?? null,
    parameters: parameters.map((one) => {
      const parameter = follow(one);
      return { ...parameter, schema: inlined(parameter.schema) };
    }),
    /** Null for an operation without a body. */
    body: requestBody ? withFields(requestBody.content['application/json']) : null,
    answer: withFields(answer),
    errors: responses
      .filter(({ status }) => status >= 400)
      .flatMap(({ status, examples = {} }) => Object.values(examples).map(({ value: body }) => ({ status, body }))),
  };
}

function withFields<M extends Media>(media: M): M {
  return { ...media, schema: inlined(media.schema) };
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
);

const groups = document.tags
  .map(({ name: tag }) => ({ tag, operations: operations.filter(({ tags }) => tags.includes(tag)) }))
  .filter((group) => group.operations.length > 0);

/**
 * The committed OpenAPI document, read when the pages are built, in the shape in which the page
 * shows it.
 */
export const reference = {
  version: document.info.version,
  groups,
  /** All operations, in the order of the groups. */
  operations: groups.flatMap((group) => group.operations),
  answerHeaders: Object.entries(document.components.headers).map(([name, header]) => ({ name, ...header })),
  webhookHeaders: Object.values(document.components.parameters).filter(({ name }) => name.startsWith('webhook-')),
  events: Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    /** The key of its texts; some have no description, as `t.has` says. */
    key: type.replace('.', '_') as 'pix_in_expired',
    example: post.requestBody?.content['application/json'].example,
  })),
};
