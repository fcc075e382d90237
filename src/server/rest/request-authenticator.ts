import type { IncomingMessage, ServerResponse } from 'node:http';
import { readApiKey } from '#domain/api-keys/api-key-format.ts';
import { isInAllowList } from '#domain/api-keys/ip-allow-list.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Authenticator, KeyOwner } from '#services/api-keys/authenticator.ts';
import type { RateLimitResult, RateLimits } from '#services/requests/rate-limits.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';

/**
 * `onOwner` gets the key's owner before anything is rejected. `key`: the header x-api-key, unless a
 * handler reads it elsewhere.
 */
export type RequestAuthenticator = (
  req: IncomingMessage,
  res: ServerResponse,
  onOwner: (owner: KeyOwner) => void,
  key?: string | undefined,
) => Promise<KeyOwner>;

/**
 * Creates the check of who a request is from, and whether it may be served now. A key that was
 * valid before passes whatever others do at its address; an unknown one does not, once its address
 * had too many failed ones: so a flood of made-up keys neither reaches the database nor locks out
 * keys in use. A valid key that comes from outside its list of addresses counts as a failed one of
 * that address, and not as a call of the key: whoever stole it can't use up its owner's limit. Sets
 * the RateLimit headers. Errors: api_key_missing, api_key_invalid, ip_not_allowed, rate_limited,
 * account_suspended.
 */
export function createRequestAuthenticator(parts: {
  authenticator: Authenticator;
  rateLimits: RateLimits;
  /** The address that a request counts for. */
  clientAddress: (req: IncomingMessage) => string;
  /** The exact address that it came from. */
  clientIp: (req: IncomingMessage) => string | null;
}): RequestAuthenticator {
  const { authenticator, rateLimits, clientAddress, clientIp } = parts;

  const countFailed = async (res: ServerResponse, address: string) => {
    const result = await rateLimits.countFailedKey(address);
    if (!result.allowed) reject(res, result);
  };

  const identify = async (req: IncomingMessage, res: ServerResponse, key: string | undefined): Promise<KeyOwner> => {
    const known = authenticator.getCached(key);
    if (known) return known;
    if (!key) throw new DomainError('api_key_missing');
    const address = clientAddress(req);
    const suspect = readApiKey(key) !== null && !authenticator.isKnownKey(key);
    const rejection = suspect ? await rateLimits.currentBlock(address) : null;
    if (rejection) reject(res, rejection);
    try {
      return await authenticator.authenticate(key);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'api_key_invalid') throw error;
      await countFailed(res, address);
      throw error;
    }
  };

  return async (req, res, onOwner, key = textOf(req.headers['x-api-key'])) => {
    const owner = await identify(req, res, key);
    onOwner(owner);
    if (!isInAllowList(owner.allowedIps, clientIp(req))) {
      await countFailed(res, clientAddress(req));
      throw new DomainError('ip_not_allowed');
    }
    const result = await rateLimits.countCall(owner.keyId);
    if (!result.allowed) reject(res, result);
    setRateLimitHeaders(res, result);
    if (owner.suspendedAt) throw new DomainError('account_suspended');
    return owner;
  };
}

/** A header that was sent. */
const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);

function reject(res: ServerResponse, result: RateLimitResult): never {
  setRateLimitHeaders(res, result);
  throw new DomainError('rate_limited');
}

function setRateLimitHeaders(res: ServerResponse, result: RateLimitResult): void {
  for (const [name, value] of rateLimitHeaders(result)) res.setHeader(name, value);
}
