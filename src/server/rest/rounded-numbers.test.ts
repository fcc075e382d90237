import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldIssuesOf } from '#contract/issues/issue-message.ts';
import { RoundedNumber } from '#domain/values/parse-exact-json.ts';
import { restProcedures } from './openapi/document.ts';
import { knownFieldsOf, warnOfBody } from './unknown-fields.ts';

const ROUNDED = new RoundedNumber('10.00000000000000001');
const OPERATIONS = restProcedures().filter(({ meta }) => meta.openapi.method === 'POST');

test.each(OPERATIONS.map(({ name, inputSchema }) => [name, inputSchema] as const))(
  'no field of %s takes a number whose decimals a double would lose, and none is warned of a field inside of it',
  (_name, schema) => {
    const object = schema instanceof z.ZodPipe ? (schema.in as z.ZodObject) : (schema as z.ZodObject);
    for (const field of Object.keys(object.shape)) {
      const { error } = schema.safeParse({ [field]: ROUNDED });
      const rejected = (error ? fieldIssuesOf(error) : []).map((found) => found.field.split('.')[0]);
      expect(rejected).toContain(field);
      expect(warnOfBody({ [field]: ROUNDED }, knownFieldsOf(schema) ?? {})).toEqual([]);
    }
  },
);
