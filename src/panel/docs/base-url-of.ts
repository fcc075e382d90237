/** What a host may be made of: the examples are pasted into shells. */
const HOST = /^[\w.:[\]-]+$/;
const SOMEWHERE = 'https://pay.example.com';

/** The address at which the reader reached the reference, for its examples and links. */
export function baseUrlOf(request: Pick<Headers, 'get'>): string {
  const host = request.get('host') ?? '';
  const scheme = request.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return HOST.test(host) ? `${scheme}://${host}` : SOMEWHERE;
}
