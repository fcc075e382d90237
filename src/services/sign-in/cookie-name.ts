/**
 * Whether browsers reach this installation over TLS; a proxy before us ends it, so the request
 * itself does not say.
 */
export const isTls = (publicUrl: string): boolean => publicUrl.startsWith('https://');

/**
 * The name of one of our cookies: under TLS only this host can have set it (`__Host-`, RFC 6265bis
 * section 4.1.3.2).
 */
export const cookieName = (name: string, publicUrl: string): string =>
  `${isTls(publicUrl) ? '__Host-' : ''}trilho.${name}`;
