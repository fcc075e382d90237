import type { schemaResolver } from '@mantine/form';
import { schemaIssues } from '#panel/shell/schema-rules.ts';
import { type AuthAnswer, authError } from './auth-call.ts';

type Values = Record<string, string>;

/**
 * Checks the values by the schema, and calls the service only without an issue. Otherwise returns
 * the error that the service would answer (`invalid_input`, with its fields).
 */
export async function checkedCall(
  load: () => Promise<Parameters<typeof schemaResolver>[0]>,
  values: Values,
  call: (values: Values) => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const fields = schemaIssues(await load(), values);
  return Object.keys(fields).length === 0 ? call(values) : { ...authError('invalid_input'), fields };
}
