import { expect } from 'vitest';
import type { Answer, TestService } from '#testing/test-service.ts';
import type { OpenApiDocument } from '../document.ts';
import type { Operation, Response } from '../document-operation.ts';
import { follow } from './document-checks.ts';

/** Sends what the document's examples say, the way a reader of the document would. */

export type DocumentedOperation = { path: string; method: 'GET' | 'POST'; operation: Operation };

export function findOperation(document: OpenApiDocument, operationId: string): DocumentedOperation {
  for (const [path, verbs] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(verbs))
      if (operation.operationId === operationId) return { path, method: verb === 'get' ? 'GET' : 'POST', operation };
  throw new Error(`The document has no operation ${operationId}.`);
}

export type Sending = {
  apiKey?: string | undefined;
  prefix?: string;
  headers?: Record<string, string>;
  /** Changes single members of the example's parameters and body. */
  change?: Record<string, unknown>;
  /** Instead of the example's body. */
  body?: unknown;
  /** The service's ids, by the ids of the examples. */
  ids?: ReadonlyMap<string, string>;
};

export function send(
  trilho: TestService,
  { path, method, operation }: DocumentedOperation,
  { apiKey, prefix = '', headers = {}, change = {}, body, ids = new Map() }: Sending,
): Promise<Answer> {
  let target = prefix + path;
  const query = new URLSearchParams();
  const rest = { ...change };
  for (const parameter of operation.parameters) {
    if ('$ref' in parameter) continue;
    const { name, example } = parameter;
    const value = Object.hasOwn(change, name) ? change[name] : example;
    delete rest[name];
    if (value === undefined) continue;
    const text = ids.get(String(value)) ?? String(value);
    if (parameter.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(text));
    else query.set(name, text);
  }
  if (method === 'GET') return trilho.get(query.size > 0 ? `${target}?${query}` : target, apiKey, headers);
  const example = operation.requestBody?.content['application/json'].example as object | undefined;
  return trilho.post(target, apiKey, body ?? { ...example, ...rest }, headers);
}

/** The success that the document promises: its status and its example. */
export function promised(document: OpenApiDocument, { operation }: DocumentedOperation) {
  const [status, reference] = Object.entries(operation.responses)[0] ?? [];
  if (!reference) throw new Error(`${operation.operationId} has no response.`);
  const { schema, example } = follow<Response>(document, reference).content['application/json'];
  return { status: Number(status), schema, example };
}

/** The body and status that the document promises for an error. */
export function promisedError(document: OpenApiDocument, { operation }: DocumentedOperation, code: string) {
  for (const [status, reference] of Object.entries(operation.responses)) {
    const { examples } = follow<Response>(document, reference).content['application/json'];
    const example = (examples as Record<string, { value: unknown }> | undefined)?.[code];
    if (example) return { status: Number(status), body: example.value };
  }
  throw new Error(`${operation.operationId} has no error ${code}.`);
}

/** An identifier: of a transaction, an account, … or of an event. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^evt_[0-9a-f]{32}$/;

/** Each of these kinds of text differs every time, and an example of it says so by its form. */
const FORMS = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^E\d{20}[0-9A-Za-z]{11}$/,
  /^[0-9a-f]{32}$/,
  /^000201/,
  /^https?:\/\/[^/]+\/pay\//,
  /^tr_test_/,
  /^whsec_/,
];

/**
 * Expects an answer to be what the example says: the same members and values. Only ids and what has
 * a form of its own may differ; an id that was seen before must be the same one again, and `ids`
 * learns those that were not.
 */
export function expectLike(answer: unknown, example: unknown, ids: Map<string, string>, at = '', open: string[] = []) {
  if (Array.isArray(example)) {
    const items = answer as unknown[];
    // Of a long list the example shows the beginning.
    expect(open.includes(at) ? items.length >= example.length : items.length, `${at} has as many`).toBe(
      open.includes(at) ? true : example.length,
    );
    for (const [i, item] of example.entries()) expectLike(items[i], item, ids, `${at}/${i}`, open);
  } else if (typeof example === 'object' && example !== null) {
    expect(Object.keys(answer ?? {}).sort(), `${at} has the members`).toEqual(Object.keys(example).sort());
    for (const [name, member] of Object.entries(example))
      expectLike((answer as Record<string, unknown>)[name], member, ids, `${at}/${name}`, open);
  } else if (typeof example === 'string' && ID.test(example)) {
    expect(answer, at).toMatch(ID);
    expect(ids.get(example) ?? answer, `${at} is the same as before`).toBe(answer);
    ids.set(example, String(answer));
  } else if (open.includes(at)) {
    expect(typeof answer, at).toBe(typeof example);
  } else {
    const form = typeof example === 'string' ? FORMS.find((one) => one.test(example)) : undefined;
    if (form) expect(answer, at).toMatch(form);
    else expect(answer, at).toBe(example);
  }
}
