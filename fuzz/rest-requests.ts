import fc from 'fast-check';
import type { OpenApiDocument } from '#server/rest/openapi/document.ts';
import type { Operation } from '#server/rest/openapi/document-operation.ts';
import type { Schema } from '#server/rest/openapi/document-schemas.ts';
import { inlined } from '#server/rest/openapi/testing/document-checks.ts';
import { MODES, type Mode } from '../attack/tenants.ts';
import type { FuzzKind, FuzzRequest } from './fuzz-request.ts';
import { type FuzzTarget, namedIds } from './fuzz-target.ts';
import { urlEncoded } from './hostile-values.ts';
import { type InputText, inputText, jsonText, mutateInput, mutation } from './mutate-input.ts';
import { overBrokenTransport } from './transport.ts';
import { fieldsOf, type Sources, validInput } from './valid-values.ts';

export type RestOperation = { operationId: string; path: string; method: string; operation: Operation };

export const restOperationsOf = (document: OpenApiDocument): RestOperation[] =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      operationId: operation.operationId ?? '',
      path,
      method: verb.toUpperCase(),
      // Requests are made from everything that the schema of a body has.
      operation: inlined(document, operation),
    })),
  );

/** How many wrong fields `many fields` has at most. */
const WRONG_FIELDS_MAX = 5;

type Json = Record<string, unknown>;

/**
 * Requests of one operation, made from the parameters and the body that the OpenAPI document
 * describes. Ids are mostly the tenant's own, sometimes another tenant's or unknown.
 */
export function restRequests(of: RestOperation, target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const parameters = of.operation.parameters.flatMap((one) =>
    '$ref' in one || one.in === 'header' ? [] : [{ ...one, schema: one.schema as Schema }],
  );
  const bodySchema = of.operation.requestBody?.content['application/json'].schema as Schema | undefined;
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name as string, schema])),
    ...bodySchema?.properties,
  };
  const inPath = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name as string));
  const required = [
    ...parameters.filter((one) => one.in === 'path' || one.required === true).map(({ name }) => name as string),
    ...(bodySchema?.required ?? []),
  ];
  const fields = fieldsOf({ type: 'object', properties });

  const inMode = (mode: Mode): fc.Arbitrary<FuzzRequest> => {
    const sources = sourcesOf(target, mode);
    const example: Json = {
      ...Object.fromEntries(
        parameters
          .map((one) => [one.name, 'example' in one ? one.example : undefined])
          .filter(([, value]) => value !== undefined),
      ),
      ...(of.operation.requestBody?.content['application/json'].example as Json | undefined),
    };
    const ids = { ...ownIds(of.operationId, target, mode) };
    const overExample = validInput(properties, required, sources).map((generated) => ({ ...example, ...generated }));
    const input = fc
      .tuple(fc.oneof(fc.constant(example), overExample, validInput(properties, required, sources)), fc.nat())
      .map(([valid, at]): Json => {
        const changed: Json = { ...valid };
        for (const [name, own] of Object.entries(ids))
          if (name in changed || inPath.has(name)) changed[name] = own[at % own.length];
        for (const [name, value] of Object.entries(changed)) {
          // The ids of an example do not exist, and its URLs lead outside.
          if (/url$/i.test(name) && value !== null) changed[name] = target.receiverUrl;
          if (/^(splitReceiver|cursor$)/.test(name)) delete changed[name];
          if (name === 'email') changed[name] = `conta-${at}@example.com`;
        }
        return changed;
      });
    const requestOf = (asked: FuzzKind, text: InputText): FuzzRequest => {
      let path = of.path;
      let kind = asked;
      for (const name of inPath) {
        const value = plain(text.findLast(([member]) => member === name)?.[1] ?? '');
        // Without its parameter a path belongs to another operation, or to none.
        if (value === '') kind = 'transport';
        path = path.replace(`{${name}}`, () => urlEncoded(value));
      }
      const rest = text.filter(([name]) => !inPath.has(name));
      const headers = { 'x-api-key': target.keys[mode] };
      if (of.method === 'GET') {
        const query = rest.map(([name, json]) => `${urlEncoded(name)}=${urlEncoded(plain(json))}`).join('&');
        return { kind, method: 'GET', target: query ? `${path}?${query}` : path, headers, body: null };
      }
      const withType = { ...headers, 'content-type': 'application/json' };
      return { kind, method: of.method, target: path, headers: withType, body: jsonText(rest) };
    };
    const valid = input.map((one) => requestOf('valid', inputText(one)));
    const wrong = (kind: FuzzKind, minLength: number, maxLength: number) =>
      fc
        .tuple(input, fc.array(mutation, { minLength, maxLength }))
        .map(([one, mutations]) => requestOf(kind, mutateInput(one, mutations, fields)));
    return mixed({
      valid,
      oneField: wrong('one field', 1, 1),
      manyFields: wrong('many fields', 2, WRONG_FIELDS_MAX),
      transport: overBrokenTransport(valid),
    });
  };
  return fc.oneof(...MODES.map(inMode));
}

/**
 * Half of the requests are wrong in one field only, so that they reach what is behind the first
 * checks.
 */
export const mixed = (of: {
  valid: fc.Arbitrary<FuzzRequest>;
  oneField: fc.Arbitrary<FuzzRequest>;
  manyFields: fc.Arbitrary<FuzzRequest>;
  transport: fc.Arbitrary<FuzzRequest>;
}): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    { arbitrary: of.valid, weight: 12 },
    { arbitrary: of.oneField, weight: 52 },
    { arbitrary: of.manyFields, weight: 14 },
    { arbitrary: of.transport, weight: 22 },
  );

/** The ids that generated inputs name: the tenant's own, and another one's. */
export function sourcesOf(target: FuzzTarget, mode: Mode): Sources {
  const own = target.owned[mode];
  return {
    ids: [...namedIds(own), own.delivery, ...namedIds(target.foreign[mode])],
    receiverUrl: target.receiverUrl,
  };
}

/** Ids that an operation finds: mostly these, so that it has something to do. */
function ownIds(operationId: string, target: FuzzTarget, mode: Mode): Record<string, readonly string[]> {
  const { paidCharge, pendingCharge, invoice, pixWithdrawal, event, endpoint } = target.owned[mode];
  const foreign = target.foreign[mode];
  const transactions =
    operationId === 'cancelTransaction'
      ? [...target.pendingCharges[mode], paidCharge, foreign.pendingCharge]
      : operationId === 'refundTransaction'
        ? [paidCharge, paidCharge, pendingCharge, invoice, foreign.paidCharge]
        : [paidCharge, pendingCharge, invoice, pixWithdrawal, foreign.paidCharge];
  const endpoints = [endpoint, endpoint, foreign.endpoint];
  return {
    ...{ transactionId: transactions, transaction_id: transactions },
    ...{ eventId: [event, event, foreign.event], endpointId: endpoints, endpoint_id: endpoints },
  };
}

/** A value in a path or query: a text without its quotes, anything else as it is written. */
function plain(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'string') return value.slice(0, QUERY_TEXT_MAX);
    if (Array.isArray(value)) return value.map(itemText).join(',').slice(0, QUERY_TEXT_MAX);
  } catch {
    // No JSON: it is sent as it is.
  }
  return json.slice(0, QUERY_TEXT_MAX);
}

/** An item that is no text as JSON: `[object Object]` would look like a leak in what is echoed. */
const itemText = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));

/**
 * Percent signs make a text six times as long: two such texts are shorter than the limit of a
 * request line.
 */
const QUERY_TEXT_MAX = 600;
