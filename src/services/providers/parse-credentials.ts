import type { CredentialKind } from '#db/accounts/account-terms.ts';
import { parseGivenCredentials } from '#rails/own-credentials.ts';

/** Reads what an operator gives as an account's own credentials. */
export const parseCredentials = (kind: CredentialKind, given: unknown): ReturnType<typeof parseGivenCredentials> =>
  parseGivenCredentials(kind, given);
