import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js';
import { parse } from 'yaml';

/** One request and its answer, as they were on the wire; bodies are parsed JSON, or undefined. */
export type HttpCall = {
  method: string;
  /** Below the base address of the API, with its query. */
  path: string;
  request: unknown;
  status: number;
  contentType: string | null;
  response: unknown;
};

export type OpenApiDocument = {
  version: string;
  /** How a call differs from the document, a sentence for each difference. */
  differencesOf(call: HttpCall): string[];
  /**
   * The differences of the body of a callback that `operation` (e.g. `PUT /webhook/{chave}`)
   * declares.
   */
  callbackDifferences(operation: string, body: unknown): string[];
  /** The differences of a body from the schema of this name. */
  schemaDifferences(name: string, body: unknown): string[];
  /** The operation that a request is for, e.g. `GET /cob/{txid}`; null where there is none. */
  operationOf(method: string, path: string): string | null;
};

type Json = Record<string, unknown>;
type Media = { schema?: Json };
type Body = { $ref?: string; content?: Record<string, Media> };
type Operation = {
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Json }[];
  requestBody?: Body;
  responses: Record<string, Body>;
  callbacks?: Record<string, Record<string, { post: Operation }>>;
};

/** RFC 3339. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * Any operation may fail with these statuses (API Pix, "Gerais"; 401 is OAuth's, 413 is HTTP's), so
 * the document does not repeat them for each. The body is `Problema` all the same.
 */
const GENERAL_STATUSES = [400, 401, 404, 410, 413, 429, 500, 503, 504];

/**
 * Reads an OpenAPI 3.0 document (YAML or JSON) and compares calls with it. It is stricter than
 * the document: an undeclared field is a difference, and a pattern has to match the whole text. A
 * location is a `uri` in API Pix and has no scheme, so that format is not compared.
 */
export function readOpenApiDocument(text: string): OpenApiDocument {
  const document = repaired(parse(text)) as {
    info: { version: string };
    paths: Record<string, Record<string, Operation>>;
    components: Json;
  };
  const ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    logger: false,
    formats: {
      'date-time': DATE_TIME,
      date: /^\d{4}-\d{2}-\d{2}$/,
      int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 31 },
      uri: true,
    },
  });
  const components = closedInside(document.components) as Json;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const shared = (item.parameters ?? []) as unknown as Operation['parameters'];
      const parameters = [...(shared ?? []), ...(operation.parameters ?? [])];
      const names = path.match(/\{\w+\}/g) ?? [];
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);
      return [{ ...operation, method, path, pattern, variables: names.length, parameters }];
    }),
  );

  /** The most literal of the paths that match: `/cob/{txid}` before `/{token}/{token}`. */
  const find = (method: string, path: string) =>
    operations
      .filter((each) => each.method === method.toLowerCase() && each.pattern.test(path.split('?', 1)[0] ?? ''))
      .sort((a, b) => a.variables - b.variables)[0];

  const resolve = <T extends object>(part: T & { $ref?: string }): T => {
    if (part.$ref === undefined) return part;
    const names = part.$ref.replace('#/', '').split('/');
    return names.reduce<unknown>((value, name) => (value as Json)[name], document) as T;
  };

  function compare(schema: Json, value: unknown, what: string): string[] {
    const validate = ajv.compile({ ...closed(closedInside(schema) as Json), components });
    return validate(value) ? [] : (validate.errors ?? []).filter(isTelling).map((error) => `${what}${describe(error)}`);
  }

  function requestDifferences(operation: ReturnType<typeof find> & object, call: HttpCall): string[] {
    const { searchParams, pathname } = new URL(call.path, 'http://psp');
    const values = operation.pattern.exec(pathname)?.slice(1).map(decodeURIComponent) ?? [];
    const inPath = new Map((operation.path.match(/\{\w+\}/g) ?? []).map((name, n) => [name.slice(1, -1), values[n]]));
    const parameters = operation.parameters.map((parameter) => resolve(parameter));
    const known = new Set(parameters.filter((each) => each.in === 'query').map(({ name }) => name));
    const unknown = [...searchParams.keys()].filter((name) => !known.has(name));
    return [
      ...unknown.map((name) => `request: the parameter ${name} is not in the document`),
      ...parameters.flatMap(({ name = '', in: place, required, schema = {} }) => {
        const value = place === 'path' ? inPath.get(name) : (searchParams.get(name) ?? undefined);
        if (place !== 'path' && place !== 'query') return [];
        if (value === undefined) return required ? [`request: the parameter ${name} is missing`] : [];
        return compare(schema, typed(value, resolve(schema)), `request parameter ${name}`);
      }),
      ...bodyDifferences(operation.requestBody, call.request, 'request'),
    ];
  }

  function bodyDifferences(
    body: Body | undefined,
    value: unknown,
    what: string,
    contentType?: string | null,
  ): string[] {
    const { content = {} } = body ? resolve(body) : {};
    const types = Object.keys(content);
    const type = types.find((each) => contentType === undefined || contentType?.startsWith(each));
    if (type === undefined) {
      if (types.length > 0) return [`${what}: the content type is ${contentType}, not ${types.join(' or ')}`];
      return value === undefined ? [] : [`${what}: there is a body where the document has none`];
    }
    if (value === undefined) return [`${what}: the body is missing`];
    return compare(content[type]?.schema ?? {}, value, what);
  }

  return {
    version: document.info.version,
    operationOf(method, path) {
      const found = find(method, path);
      return found ? `${method} ${found.path}` : null;
    },
    differencesOf(call) {
      const operation = find(call.method, call.path);
      if (!operation) return [`${call.method} ${call.path} is not in the document`];
      const { status, response, contentType } = call;
      const declared = operation.responses[String(status)];
      const isRejected = status >= 400;
      if (!declared && !GENERAL_STATUSES.includes(status)) {
        return [`answer: the status ${status} is not in the document`];
      }
      const problem: Body = {
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problema' } } },
      };
      return [
        // A rejected request may be wrong on purpose.
        ...(isRejected ? [] : requestDifferences(operation, call)),
        ...bodyDifferences(declared ?? problem, response, `answer ${status}`, contentType),
      ];
    },
    schemaDifferences: (name, body) => compare({ $ref: `#/components/schemas/${name}` }, body, name),
    callbackDifferences(name, body) {
      const [method = '', path = ''] = name.split(' ');
      const [callback] = Object.values(find(method, path)?.callbacks ?? {});
      const [item] = Object.values(callback ?? {});
      return item ? bodyDifferences(item.post.requestBody, body, 'callback') : [`${name} declares no callback`];
    },
  };
}

/**
 * API Pix writes some patterns between slashes, as in JavaScript, and does not say whether a
 * pattern has to match the whole text.
 */
function repaired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === 'pattern' && typeof part === 'string' ? [name, wholeText(part)] : [name, repaired(part)],
    ),
  );
}

function wholeText(pattern: string): string {
  const inner = pattern.replace(/^\/(.*)\/$/, '$1');
  return `^(?:${inner.replace(/^\^/, '').replace(/\$$/, '')})$`;
}

/** The schema, closed to fields that it does not declare. */
function closed(schema: Json): Json {
  return { allOf: [schema], unevaluatedProperties: false };
}

/** Closes the items and fields of a schema in the same way. */
function closedInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (name === 'items') return [name, closed(closedInside(part) as Json)];
      if (name !== 'properties') return [name, closedInside(part)];
      const fields = Object.entries(part as Json).map(([field, schema]) => [
        field,
        closed(closedInside(schema) as Json),
      ]);
      return [name, Object.fromEntries(fields)];
    }),
  );
}

/** Parts of the path and of the query are text on the wire. */
function typed(value: string, { type }: Json): unknown {
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

/**
 * False for the errors of a composition, which only say that a part did not fit: the part has an
 * error itself.
 */
const isTelling = ({ keyword }: ErrorObject): boolean => !['allOf', 'if'].includes(keyword);

function describe({ instancePath, message, params }: ErrorObject): string {
  const more = Object.values(params as Record<string, unknown>).filter((value) => typeof value === 'string');
  return `${instancePath.replaceAll('/', '.')} ${message ?? 'does not fit'}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
