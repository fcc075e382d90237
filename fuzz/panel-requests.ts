import fc from 'fast-check';
import { z } from 'zod';
import { panelRouter } from '#server/procedures/panel-router.ts';
import type { Schema } from '#server/rest/openapi/document-schemas.ts';
import { RULES } from '../attack/authorisation/rules.ts';
import { MODES, type Mode } from '../attack/tenants.ts';
import { PASSWORD } from '../src/testing/panel-browser.ts';
import type { FuzzKind, FuzzRequest } from './fuzz-request.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { hostileJson, urlEncoded } from './hostile-values.ts';
import { type InputText, inputText, jsonText, mutateInput, mutation } from './mutate-input.ts';
import { mixed, sourcesOf } from './rest-requests.ts';
import { overBrokenTransport } from './transport.ts';
import { fieldsOf, validInput } from './valid-values.ts';

export type PanelProcedure = { name: string; type: 'query' | 'mutation' | 'subscription'; schema: Schema };

/** Every procedure of the pages' router, with the schema of its input. */
export function panelProcedures(): PanelProcedure[] {
  const defined = panelRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: PanelProcedure['type']; inputs: z.ZodType[] } }
  >;
  return Object.entries(defined).map(([name, { _def }]) => ({
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

/** Valid inputs of procedures that only reject generated ones. */
const RIGHT_INPUTS: Readonly<Record<string, Record<string, unknown>>> = { 'session.confirm': { password: PASSWORD } };

const WRONG_FIELDS_MAX = 5;
/**
 * The longest input of a query: its address, with percent signs, may have 8 KiB in all, less than a
 * body.
 */
const QUERY_INPUT_MAX = 1_200;

/** Requests of one procedure, as a page of the signed-in member sends them. */
export function panelRequests(of: PanelProcedure, target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const fields = fieldsOf(of.schema);
  const { properties = {}, required = [] } = of.schema;

  const inMode = (mode: Mode): fc.Arbitrary<FuzzRequest> => {
    const example = Object.entries(RULES[of.name]?.input(target.owned[mode]) ?? {}).map(([name, value]) => [
      name,
      name === 'url' ? target.receiverUrl : value,
    ]);
    const right: Record<string, unknown> = { ...Object.fromEntries(example), ...RIGHT_INPUTS[of.name] };
    const rights =
      of.name === 'transactions.cancel'
        ? target.pendingCharges[mode].map((transactionId) => ({ ...right, transactionId }))
        : [right];
    // The ids of the example stay: a generated id rarely is one of this procedure's.
    const input = fc.oneof(
      { arbitrary: fc.constantFrom(...rights), weight: required.every((name) => name in right) ? 2 : 0 },
      {
        arbitrary: validInput(properties, required, sourcesOf(target, mode)).map((generated) => ({
          ...generated,
          ...Object.fromEntries(Object.entries(right).filter(([name]) => /id$/i.test(name))),
        })),
        weight: 1,
      },
    );
    const requestOf = (kind: FuzzKind, text: string): FuzzRequest => {
      const address = `/api/trpc/${mode}/${of.name}`;
      const headers = { cookie: target.cookie };
      if (of.type === 'mutation') {
        const asPage = { ...headers, origin: target.url, 'content-type': 'application/json' };
        return { kind, method: 'POST', target: address, headers: asPage, body: text };
      }
      const encoded = urlEncoded(text.length > QUERY_INPUT_MAX ? text.slice(0, QUERY_INPUT_MAX) : text);
      return {
        kind,
        method: 'GET',
        target: `${address}?input=${encoded}`,
        headers,
        body: null,
        ...(of.type === 'subscription' && { isStream: true }),
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
      const batched = `${path},session.me,${of.name}?batch=1${query ? `&${query}` : ''}`;
      return { ...request, target: batched };
    });
    return mixed({
      valid,
      oneField: wrong('one field', 1, 1),
      manyFields: fc.oneof(wrong('many fields', 2, WRONG_FIELDS_MAX), notAnObject),
      transport: fc.oneof({ arbitrary: overBrokenTransport(valid), weight: 5 }, { arbitrary: inBatch, weight: 1 }),
    });
  };
  return fc.oneof(...MODES.map(inMode));
}
