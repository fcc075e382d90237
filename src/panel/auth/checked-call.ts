import type { schemaResolver } from '@mantine/form';
import { schemaIssues } from '#panel/shell/schema-rules.ts';
import { type AuthAnswer, authError } from './auth-call.ts';

type Values = Record<string, string>;

/**
 * Asks the service for what the schema has no issue with; else answers as the service would,
 * without a call.
 */
export async function checkedCall(
  load: () => Promise<Parameters<typeof schemaResolver>[0]>,
  values: Values,
  call: (values: Values) => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const fields = schemaIssues(await load(), values);
  return Object.keys(fields).length === 0 ? call(values) : { ...authError('invalid_input'), fields };
}
