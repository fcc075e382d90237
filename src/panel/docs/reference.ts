import type { Messages } from '#messages/messages.ts';
import openApi from '#public/openapi.json';

/**
 * The committed OpenAPI document, read when the pages are built, in the shape in which the page
 * shows it.
 */

export type Schema = {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
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

type ErrorBody = { error?: string; message: string };
/** `name` is the member to compare: `error`, and `message` in the crypto family. */
export type ErrorAnswer = { status: number; name: string; body: ErrorBody };

/** Its texts are in the catalogue, by these names. */
type OperationId = keyof Messages['docs']['operations'];
type TagName = keyof Messages['docs']['tags'];

export type Operation = {
  id: OperationId;
  method: 'GET' | 'POST';
  path: string;
  parameters: Parameter[];
  /** Null for an operation without one. */
  body: { schema: Schema; required: boolean; example: Record<string, unknown> } | null;
  answer: { status: number; schema: Schema; example: unknown };
  errors: ErrorAnswer[];
};

export type WebhookEvent = { type: string; example: unknown };

export type Reference = {
  version: string;
  groups: { tag: TagName; operations: Operation[] }[];
  /** Of our answers. */
  answerHeaders: { name: string; description: string; example: unknown }[];
  webhookHeaders: Parameter[];
  events: WebhookEvent[];
};

type Ref = { $ref: string };
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: ErrorBody }> };
type Content = { 'application/json': Media };
type DocumentResponse = { content: Content };
type DocumentOperation = {
  operationId: OperationId;
  tags: string[];
  parameters: (Parameter | Ref)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DocumentResponse | Ref>;
};
type OpenApi = {
  info: { version: string };
  tags: { name: TagName }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: DocumentOperation }>;
  components: {
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; example: unknown }>;
    schemas: Record<string, Schema>;
  };
};

const document = openApi as unknown as OpenApi;

export const reference: Reference = {
  version: document.info.version,
  groups: document.tags
    .map(({ name }) => ({ tag: name, operations: operationsOf(name) }))
    .filter(({ operations }) => operations.length > 0),
  answerHeaders: Object.entries(document.components.headers).map(([name, header]) => ({ name, ...header })),
  webhookHeaders: Object.values(document.components.parameters).filter(({ name }) => name.startsWith('webhook-')),
  events: Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    example: post.requestBody?.content['application/json'].example,
  })),
};

/** What a `$ref` of the document stands for. */
export function follow<T extends object>(node: T | Ref): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
  const path = node.$ref.slice('#/'.length).split('/');
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

function operationsOf(tag: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => readOperation(path, method, operation)),
  );
}

function readOperation(path: string, method: string, operation: DocumentOperation): Operation {
  const { operationId: id, requestBody } = operation;
  const media = requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    return { status: Number(status), ...follow(response).content['application/json'] };
  });
  const answer = responses.find(({ status }) => status < 300);
  if (!answer) throw new Error(`The OpenAPI document has no success of ${id}.`);
  return {
    id,
    method: method === 'get' ? 'GET' : 'POST',
    path,
    parameters: operation.parameters.map(follow),
    body: media
      ? {
          schema: media.schema,
          required: requestBody?.required ?? false,
          example: (media.example ?? {}) as Record<string, unknown>,
        }
      : null,
    answer: { status: answer.status, schema: answer.schema, example: answer.example },
    errors: responses
      .filter(({ status }) => status >= 400)
      .flatMap(({ status, schema, examples = {} }) => {
        const isCrypto = schema.$ref?.endsWith('/CryptoErrorBody') ?? false;
        return Object.values(examples).map(({ value: body }): ErrorAnswer => {
          return { status, name: isCrypto ? body.message : (body.error ?? body.message), body };
        });
      }),
  };
}
