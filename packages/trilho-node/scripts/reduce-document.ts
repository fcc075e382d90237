/** The parts of an OpenAPI 3.1 document that are read here. */
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
};
type Schema = Record<string, unknown>;
/** An answer or a request, with its body. */
export type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
};

/** The document that the types are generated from, and the table of its operations. */
export type ReducedDocument = { document: object; operations: string };

const JSON_TYPE = 'application/json';

/**
 * Keeps of the document what a typed client needs: the shapes, under the names that they have
 * there, the query of every operation (`ListEventsQuery`), the events as one, and the codes of
 * errors. Generated from the whole document the types would be five times as long, most of it the
 * same headers and errors under each operation.
 */
export function reduceDocument({ paths, webhooks, components }: OpenApiDocument): ReducedDocument {
  const schemas: Record<string, Schema> = {};
  const rows: string[] = [];
  for (const { method, path, operation } of operationsOf(paths)) {
    const prefix = operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1);
    const body = operation.requestBody ? nameOf(schemaOf(operation.requestBody)) : 'undefined';
    const answer = nameOf(answerSchema(operation));
    const own = querySchema(operation);
    const query = own ? `${prefix}Query` : 'undefined';
    if (own) schemas[query] = own;
    rows.push(`  '${method} ${path}': { body: ${body}; query: ${query}; answer: ${answer} };`);
  }
  const events = [...new Set(Object.values(webhooks).map(({ post }) => JSON.stringify(schemaOf(post.requestBody))))];
  const { ErrorBody: _, CryptoErrorBody: __, ...shared } = components.schemas;
  return {
    document: {
      openapi: '3.1.0',
      info: { title: 'Trilho', version: '1' },
      paths: {},
      components: {
        schemas: {
          ...shared,
          ...schemas,
          WebhookEvent: { oneOf: events.map((text) => JSON.parse(text)) },
          ErrorCode: { type: 'string', enum: errorCodes({ paths, components }) },
        },
      },
    },
    operations: `export interface Operations {\n${rows.join('\n')}\n}\n`,
  };
}

/** Every operation of the document, with its method in capitals. */
export function operationsOf(paths: OpenApiDocument['paths']) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function querySchema({ parameters = [] }: Operation): Schema | null {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return null;
  const properties = query.map(({ name, description, schema }) => [name, { ...schema, description }]);
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function answerSchema({ operationId, responses }: Operation): Schema {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (!success) throw new Error(`${operationId} has no successful answer in the document.`);
  return schemaOf(success);
}

/** The name of a shape, which the document gives every body and answer. */
function nameOf({ $ref }: Schema): string {
  if (typeof $ref !== 'string') throw new Error('A body without a name in the document.');
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function schemaOf({ content }: Content): Schema {
  const schema = content?.[JSON_TYPE]?.schema;
  if (!schema) throw new Error('A body without a JSON schema in the document.');
  return schema;
}

/** Every `code` that an answer of the document may have, sorted. */
function errorCodes({ paths, components }: Pick<OpenApiDocument, 'paths' | 'components'>): string[] {
  const own = operationsOf(paths).flatMap(({ operation }) => Object.values(operation.responses));
  const codes = [...own, ...Object.values(components.responses)].flatMap(errorCodesOf);
  return [...new Set(codes)].sort();
}

/** The codes of one answer; none where it is a success or stands elsewhere. */
export function errorCodesOf({ content }: Content): string[] {
  const { allOf = [] } = (content?.[JSON_TYPE]?.schema ?? {}) as {
    allOf?: { properties?: { code?: { enum?: string[] } } }[];
  };
  return allOf.flatMap(({ properties }) => properties?.code?.enum ?? []);
}
