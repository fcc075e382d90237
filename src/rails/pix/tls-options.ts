import { createSecureContext, type SecureContext } from 'node:tls';

/** PEM, or a PKCS #12 file in base64. */
export type ClientTls = { cert: string; key: string; ca?: string } | { pfx: string; passphrase?: string };

/** By the settings that they were opened from, as long as those are in use. */
const opened = new WeakMap<ClientTls, SecureContext>();

/**
 * Returns TLS options as Node takes them. A PKCS #12 file is opened once, however many clients and
 * connections use the same settings: it may take hundreds of milliseconds, in which the process
 * does nothing else. One that can't be opened fails each connection.
 */
export function tlsOptions(tls: ClientTls | undefined) {
  if (!tls || !('pfx' in tls)) return tls;
  const file = { ...tls, pfx: Buffer.from(tls.pfx, 'base64') };
  try {
    const secureContext = opened.get(tls) ?? createSecureContext(file);
    opened.set(tls, secureContext);
    return { secureContext };
  } catch {
    return file;
  }
}
