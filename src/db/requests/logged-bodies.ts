import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { sealContext } from '../encryption/sealed-columns.ts';

/**
 * The bodies of a call, masked before they come here; sealed all the same, because masking leaves
 * what merchants typed.
 */
type Bodies = { requestBody: string | null; responseBody: string | null };

const CONTEXTS = {
  request: (id: string) => [
    sealContext('request_records.request_body', { request_id: id }),
    sealContext('request_records.response_body', { request_id: id }),
  ],
  call: (id: string) => [
    sealContext('provider_calls.request_body', { transaction_id: id }),
    sealContext('provider_calls.response_body', { transaction_id: id }),
  ],
};

type Logged = keyof typeof CONTEXTS;

/**
 * Bodies as they are kept, of a request (by its id) or of a call to a provider (by the transaction
 * it is about).
 */
export const sealBodies = <T extends Bodies>(box: SecretBox, of: Logged, id: string, row: T): T =>
  changed(row, CONTEXTS[of](id), (text, context) => box.seal(text, context));

export const openBodies = <T extends Bodies>(box: SecretBox, of: Logged, id: string, row: T): T =>
  changed(row, CONTEXTS[of](id), (text, context) => box.open(text, context));

function changed<T extends Bodies>(
  row: T,
  [request = '', response = '']: string[],
  change: (text: string, context: string) => string,
): T {
  const { requestBody, responseBody } = row;
  return {
    ...row,
    requestBody: requestBody === null ? null : change(requestBody, request),
    responseBody: responseBody === null ? null : change(responseBody, response),
  };
}
