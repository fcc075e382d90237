import { isEqualText } from '#domain/encryption/is-equal-bytes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/** Below it is an address for each test account. */
export const TEST_RECEIVER_PREFIX = '/inbound/test-webhooks/';

/**
 * Where the built-in receiver takes an account's webhooks. The token is derived from the master key
 * and never shown: only this installation's workers know the address.
 */
export const testReceiverUrl = (base: string, box: SecretBox, accountId: string): string =>
  `${base}${TEST_RECEIVER_PREFIX}${accountId}/${box.derive(purposeOf(accountId))}`;

const purposeOf = (accountId: string) => `test-receiver:${accountId}`;

/**
 * Whether a token is that of an account's address; also of a worker that still derives it from an
 * older master key.
 */
export const isTestReceiverToken = (box: SecretBox, accountId: string, token: string) =>
  box.deriveAll(purposeOf(accountId)).some((right) => isEqualText(token, right));
