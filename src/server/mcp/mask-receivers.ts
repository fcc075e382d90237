/**
 * The fields that say where events go: the addresses of webhooks. Whoever may change one has
 * `webhooks:write`, which no assistant's key has, because what is behind the host is often a secret
 * (ADR 0064).
 */
export const RECEIVER_FIELDS: ReadonlySet<string> = new Set(['url', 'callback_url']);

/** The merchant's own object: its fields mean what the merchant wants. */
const OWN_FIELD = 'metadata';

/**
 * Returns a result as an assistant gets it: of each webhook's address, at whatever depth, the
 * origin and `/…`. An assistant passes what it reads to whoever can make it talk.
 */
export function maskReceivers<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskReceivers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [field, field === OWN_FIELD ? one : maskField(field, one)]),
  ) as T;
}

const maskField = (field: string, value: unknown): unknown =>
  RECEIVER_FIELDS.has(field) && typeof value === 'string' ? maskAddress(value) : maskReceivers(value);

const maskAddress = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return '…';
  return url.href === `${url.origin}/` ? url.origin : `${url.origin}/…`;
};
