/** The parts of an OpenAPI 3.1 document that are read here. */
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Schema = Record<string, unknown>;
/** An answer or a request, with its body. */
export type Content = { content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }> };
type Operation = {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
};

/** The shapes of an operation's input and answer, by name; null where it has no such input. */
export type OperationShapes = {
  operationId: string;
  /** `POST /payments/transactions`. */
  name: string;
  body: string | null;
  query: string | null;
  answer: string;
};

/** The document that the types are generated from, and its operations. */
export type ReducedDocument = {
  document: { openapi: string; info: object; paths: object; components: { schemas: Record<string, Schema> } };
  operations: OperationShapes[];
};

const JSON_TYPE = 'application/json';
const OPEN_SET = 'x-extensible-enum';

/**
 * Reduces the document to what a typed client needs: the shapes, under the names that they have
 * there, and the query of every operation (`ListEventsQuery`). Types of the whole document would be
 * five times as long, most of it the same headers and errors under each operation. Throws where a
 * body has no name.
 */
export function reduceDocument({ paths, components }: OpenApiDocument): ReducedDocument {
  const schemas: Record<string, Schema> = {};
  const operations: OperationShapes[] = [];
  for (const { method, path, operation } of operationsOf(paths)) {
    const prefix = operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1);
    const query = querySchema(operation);
    if (query) schemas[`${prefix}Query`] = query;
    operations.push({
      operationId: operation.operationId,
      name: `${method} ${path}`,
      body: operation.requestBody ? nameOf(schemaOf(operation.requestBody)) : null,
      query: query ? `${prefix}Query` : null,
      answer: nameOf(answerSchema(operation)),
    });
  }
  const { ErrorBody: _, CryptoErrorBody: __, ...shared } = components.schemas;
  return {
    document: {
      openapi: '3.1.0',
      info: { title: 'Trilho', version: '1' },
      paths: {},
      components: {
        schemas: withEnumerations({ ...shared, ...schemas }),
      },
    },
    operations,
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

/** The error codes of one answer, which are the names of its examples; none of a success. */
export function errorCodesOf({ content }: Content): string[] {
  return Object.keys(content?.[JSON_TYPE]?.examples ?? {});
}

/**
 * Turns open sets of values into enumerations: types check nothing at run time, and an editor
 * offers the known values.
 */
function withEnumerations<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withEnumerations) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { [OPEN_SET]: values, ...rest } = node as Record<string, unknown>;
  const members = Object.entries(rest).map(([name, member]) => [name, withEnumerations(member)]);
  return { ...Object.fromEntries(members), ...(values !== undefined && { enum: values }) };
}
