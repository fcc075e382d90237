/** Of credentials with providers, apart from the schemas, so that the form need not load zod. */

/** Longer than any client id, secret or passphrase that is known of. */
export const CREDENTIAL_LENGTH_MAX = 1_024;
/** Longer than any account number, with its punctuation. */
export const ACCOUNT_NUMBER_LENGTH_MAX = 32;
/** API Pix: chave. */
export const PIX_KEY_LENGTH_MAX = 77;
/**
 * In characters: a certificate with its chain takes about 6,000, and a call's body is 64 KiB at
 * most.
 */
export const CERTIFICATE_LENGTH_MAX = 20_000;
