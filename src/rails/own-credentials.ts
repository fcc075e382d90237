import { z } from 'zod';

/**
 * An account's own provider credentials, as the operator gives them in a JSON file and as they are
 * stored, sealed.
 */

const https = z.url({ protocol: /^https$/ }).transform((text) => text.replace(/\/+$/, ''));
const filled = z.string().min(1);

/** Plisio's address for everyone. */
export const PLISIO_BASE_URL = 'https://api.plisio.net/api/v1';

export const apiPixCredentials = z.strictObject({
  baseUrl: https,
  clientId: filled,
  clientSecret: filled,
  pixKey: filled.max(77),
  tls: z
    .strictObject({ cert: filled, key: filled, ca: filled.optional() })
    .transform(({ ca, ...tls }) => (ca ? { ...tls, ca } : tls)),
  /** Efí's API for sending PIX; without it these credentials only receive. */
  payoutUrl: https.optional(),
});

export const plisioCredentials = z.strictObject({ apiKey: filled, baseUrl: https.default(PLISIO_BASE_URL) });
