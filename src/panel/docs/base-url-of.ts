/** The characters that a host may have: the examples are pasted into shells. */
const HOST = /^[\w.:[\]-]+$/;
const SOMEWHERE = 'https://pay.example.com';

/**
 * Returns the address at which the reader reached the reference, for its examples and links; a
 * placeholder for an unusual host.
 */
export function baseUrlOf(request: Pick<Headers, 'get'>): string {
  const host = request.get('host') ?? '';
  const scheme = request.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return HOST.test(host) ? `${scheme}://${host}` : SOMEWHERE;
}
