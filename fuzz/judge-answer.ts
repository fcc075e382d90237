import { ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import type { OpenApiDocument } from '#server/rest/openapi/document.ts';
import type { Operation, Response } from '#server/rest/openapi/document-operation.ts';
import { follow, schemaErrors } from '#server/rest/openapi/testing/document-checks.ts';
import type { RawAnswer } from '../attack/answers.ts';
import { panelBodyError } from '../attack/authorisation/bodies.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/**
 * Texts of our internals and of the libraries below: a stack, a path of a file, SQL, an error
 * message of PostgreSQL, Prisma, zod, tRPC or V8. No hostile value has one of them.
 */
const LEAKS: readonly RegExp[] = [
  /\n\s*at .{1,200}:\d+:\d+|\\n\s*at .{1,200}:\d+:\d+/,
  /node_modules|node:internal|file:\/\/\/(?!etc\/passwd)|\/src\/[\w/.-]+\.[cm]?[jt]sx?|\.ts:\d+/,
  /\b(SELECT\b.{1,400}\bFROM|INSERT INTO|UPDATE\b.{1,200}\bSET|DELETE FROM)\b/,
  /syntax error at or near|invalid input syntax|invalid byte sequence|violates \w+(-\w+)? constraint/,
  /\b(relation|column|function) "?\w+"? (of relation|does not exist)|numeric field overflow|out of range for type/,
  /unsupported Unicode escape|deadlock detected|canceling statement|terminating connection|duplicate key value/,
  /Prisma|\bP[12]\d{3}\b|ZodError|TRPCError|TRPCClientError|invalid_union|unrecognized_keys|better-auth/i,
  /\b(Type|Range|Reference|Syntax|Internal|Aggregate|Uncaught)\s?Error\b|Unexpected (token|end of)|JSON at position/,
  /Cannot (read|set|convert|destructure|mix)|is not (a function|iterable|defined|an object)|Maximum call stack/,
  /E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|ACCES|NOENT|RR_[A-Z_]{4,})\b|\bledger_\w+|\btrilho_\w+|\[object \w+\]/,
];

/** Returns the text of our internals in an answer; null: there is none. */
export function leakPattern(text: string): string | null {
  for (const leak of LEAKS) {
    const found = leak.exec(text);
    if (found) return found[0].slice(0, 120);
  }
  return null;
}

const HTML = /^\s*<(!doctype|html|head|body|\?xml)/i;

/** The response that the contract documents for a status; `undefined`: none. */
const documentedResponse = (document: OpenApiDocument, { responses }: Operation, status: number) => {
  const response = responses[status];
  return response && follow<Response>(document, response);
};

export type Judgement = {
  /** Null: the answer is as it must be. */
  failure: string | null;
  /** A 503 that the contract documents and that says when to come back. */
  isDocumentedUnavailability?: true;
};

const right: Judgement = { failure: null };
const wrong = (failure: string): Judgement => ({ failure });

/**
 * Judges what every answer has in common; null: the answer still has to be judged by its surface.
 */
function judgeAny(request: FuzzRequest, answer: RawAnswer, allows503: boolean): Judgement | null {
  const { status, headers, text } = answer;
  const type = headers.get('content-type') ?? '';
  if (status === 503 && allows503 && headers.get('retry-after') !== null)
    return { failure: null, isDocumentedUnavailability: true };
  if (status >= 500 || status < 200) return wrong(`status ${status}: ${text.slice(0, 300)}`);
  if (/html|xml/i.test(type) || HTML.test(text)) return wrong(`HTML (${status}, ${type}): ${text.slice(0, 100)}`);
  const leak = leakPattern(text);
  if (leak !== null) return wrong(`shows its insides (${status}): ${leak}`);
  if (request.method === 'HEAD' || status === 204 || status === 304)
    return text === '' ? right : wrong(`a body where there is none (${status})`);
  return null;
}

/** Judges an answer of a REST operation by the OpenAPI document. */
export function judgeRest(
  document: OpenApiDocument,
  operation: Operation,
  request: FuzzRequest,
  answer: RawAnswer,
): Judgement {
  const { status, headers, text } = answer;
  const any = judgeAny(request, answer, operation.responses[503] !== undefined);
  if (any) return any;
  const body = parse(text);
  if (body === undefined || !isJsonType(headers)) return wrong(`no JSON (${status}): ${text.slice(0, 200)}`);
  // With another method or address the request is another operation's, or none's; one that can't be
  // read belongs to none.
  if (request.kind === 'transport') {
    const names = ['ErrorBody', 'CryptoErrorBody'] as const;
    const found = names.map((name) => schemaErrors(document, { $ref: `#/components/schemas/${name}` }, body));
    return status < 400 || found.some((errors) => errors.length === 0)
      ? right
      : wrong(`no body of an error (${status}): ${found[0]?.join('; ')}`);
  }
  const response = documentedResponse(document, operation, status);
  if (!response) return wrong(`status ${status} is not documented: ${text.slice(0, 300)}`);
  const { schema, examples } = response.content['application/json'];
  const errors = schemaErrors(document, schema, body);
  const { code } = body as { code?: unknown };
  if (examples && !Object.hasOwn(examples, String(code))) errors.push(`the code ${code} is not one of this status`);
  return errors.length === 0 ? right : wrong(`not as documented (${status}): ${errors.slice(0, 3).join('; ')}`);
}

/** Judges an answer of a page's procedure. */
export function judgePanel(request: FuzzRequest, answer: RawAnswer): Judgement {
  const { status, headers, text } = answer;
  const any = judgeAny(request, answer, true);
  if (any) return any;
  // Some headers ask for a stream of JSON lines, or of events; a batch is a list.
  if (/event-stream|jsonl/.test(headers.get('content-type') ?? '')) return right;
  const body = parse(text);
  if (body === undefined || !isJsonType(headers)) return wrong(`no JSON (${status}): ${text.slice(0, 200)}`);
  for (const one of Array.isArray(body) ? body : [body]) {
    const failure = panelFailure(one, status, request);
    if (failure) return wrong(`${failure} (${status})`);
  }
  return right;
}

function panelFailure(body: unknown, status: number, request: FuzzRequest): string | null {
  if (typeof body !== 'object' || body === null) return 'no answer of a procedure';
  if ('result' in body) return null;
  // A request that is rejected before any procedure gets REST's body.
  if (request.kind === 'transport' && 'success' in body && body.success === false) return null;
  const failure = panelBodyError({ status, headers: new Headers(), text: JSON.stringify(body) });
  if (failure) return failure;
  const { data } = (body as { error: { data?: { reason?: unknown } } }).error;
  const { reason } = data ?? {};
  return reason === undefined || reason === null || Object.hasOwn(ERROR_CATALOGUE, String(reason))
    ? null
    : `the reason ${String(reason)} is none of the catalogue`;
}

const isJsonType = (headers: Headers) => (headers.get('content-type') ?? '').startsWith('application/json');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
