import fc from 'fast-check';
import { z } from 'zod';
import type { Schema } from '#server/rest/openapi/document-schemas.ts';
import type { FuzzKind, FuzzRequest } from './fuzz-request.ts';
import { hostileJson, urlEncoded } from './hostile-values.ts';
import { type InputText, inputText, jsonText, mutateInput, mutation } from './mutate-input.ts';
import { mixed } from './rest-requests.ts';
import { overBrokenTransport } from './transport.ts';
import { fieldsOf } from './valid-values.ts';

export type Procedure = { name: string; type: 'query' | 'mutation' | 'subscription'; schema: Schema };

/** The procedures that a router defines, with the schemas of their inputs. */
export function proceduresOf(defined: object): Procedure[] {
  const procedures = defined as Record<string, { _def: { type: Procedure['type']; inputs: z.ZodType[] } }>;
  return Object.entries(procedures).map(([name, { _def }]) => ({
    name,
    type: _def.type,
    schema: _def.inputs[0] ? schemaOf(_def.inputs[0]) : {},
  }));
}

/** A value that a check transforms is still text on the wire. */
const schemaOf = (input: z.ZodType): Schema =>
  z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'string') jsonSchema.type = 'string';
    },
  }) as Schema;

const WRONG_FIELDS_MAX = 5;
/**
 * The longest input of a query: its address, with percent signs, may have 8 KiB in all, less than a
 * body.
 */
const QUERY_INPUT_MAX = 1_200;

/**
 * Requests of one procedure, valid and wrong, from inputs that are valid. `prefix` is the address
 * of its router, `cookie` whose session sends them.
 */
export function procedureRequests({
  procedure: { name, type, schema },
  input,
  prefix,
  cookie,
  origin,
}: {
  procedure: Procedure;
  input: fc.Arbitrary<Record<string, unknown>>;
  prefix: string;
  cookie: string;
  origin: string;
}): fc.Arbitrary<FuzzRequest> {
  const fields = fieldsOf(schema);
  const requestOf = (kind: FuzzKind, text: string): FuzzRequest => {
    const address = `${prefix}${name}`;
    const headers = { cookie };
    if (type === 'mutation') {
      const asPage = { ...headers, origin, 'content-type': 'application/json' };
      return { kind, method: 'POST', target: address, headers: asPage, body: text };
    }
    const encoded = urlEncoded(text.length > QUERY_INPUT_MAX ? text.slice(0, QUERY_INPUT_MAX) : text);
    return {
      kind,
      method: 'GET',
      target: `${address}?input=${encoded}`,
      headers,
      body: null,
      ...(type === 'subscription' && { isStream: true }),
    };
  };
  const valid = input.map((one) => requestOf('valid', jsonText(inputText(one))));
  const wrong = (kind: FuzzKind, minLength: number, maxLength: number) =>
    fc
      .tuple(input, fc.array(mutation, { minLength, maxLength }))
      .map(([one, mutations]): InputText => mutateInput(one, mutations, fields))
      .map((text) => requestOf(kind, jsonText(text)));
  const notAnObject = hostileJson.map((json) => requestOf('many fields', json));
  const inBatch = input.map((one): FuzzRequest => {
    const request = requestOf('transport', `{"0":${JSON.stringify(one)},"1":null,"__proto__":{}}`);
    const [path = '', query] = request.target.split('?');
    const batched = `${path},session.me,${name}?batch=1${query ? `&${query}` : ''}`;
    return { ...request, target: batched };
  });
  return mixed({
    valid,
    oneField: wrong('one field', 1, 1),
    manyFields: fc.oneof(wrong('many fields', 2, WRONG_FIELDS_MAX), notAnObject),
    transport: fc.oneof({ arbitrary: overBrokenTransport(valid), weight: 5 }, { arbitrary: inBatch, weight: 1 }),
  });
}
