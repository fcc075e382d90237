import { openBodies } from '#db/requests/logged-bodies.ts';
import {
  findRequestRecord,
  listRequestRecords,
  type RequestDetails,
  type RequestListing,
} from '#db/requests/request-records.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';

/** How long a request is kept: long enough to find out what a system did, and no longer. */
export const REQUESTS_KEPT_MS = 7 * 24 * 60 * 60_000;
/**
 * How many requests one search reads; the next page continues from there. Ten thousand take about
 * 20 ms.
 */
const SCAN_MAX = 10_000;

export type RequestQuery = {
  keyId: string | null;
  method: string | null;
  /** The first digit of the status: 2, 4 or 5. */
  statusClass: number | null;
  /** A part of the path, or a whole request id. */
  text: string | null;
  cursor: bigint | null;
  limit: number;
};

/**
 * The requests of the account's keys in the last seven days, newest first; `nextCursor` leads to
 * the older ones, null at the end. A page may be short although there are more, because one search
 * reads only a part of them.
 */
export async function listRequests(
  deps: Deps,
  accountId: string,
  query: RequestQuery,
): Promise<{ requests: RequestListing[]; nextCursor: bigint | null }> {
  const { statusClass, cursor, limit, ...rest } = query;
  const { requests, scanned, last } = await listRequestRecords(deps.db.pool, accountId, {
    ...rest,
    statuses: statusClass === null ? null : { from: statusClass * 100, to: statusClass * 100 + 99 },
    before: cursor,
    since: since(deps),
    limit: limit + 1,
    scan: SCAN_MAX,
  });
  if (requests.length > limit) {
    const page = requests.slice(0, limit);
    return { requests: page, nextCursor: page.at(-1)?.id ?? null };
  }
  return { requests, nextCursor: scanned === SCAN_MAX ? last : null };
}

/**
 * One request with its masked bodies. Throws DomainError `not_found`, also for a request of another
 * account and for one that is too old.
 */
export async function getRequest(deps: Deps, accountId: string, id: bigint): Promise<RequestDetails> {
  const request = await findRequestRecord(deps.db.pool, { accountId, id, since: since(deps) });
  if (!request) throw new DomainError('not_found');
  return openBodies(deps.secretBox, 'request', request.requestId, request);
}

/** Requests are noted in real time, also those of an account on a test clock. */
const since = (deps: Deps) => new Date(ownTime(deps).getTime() - REQUESTS_KEPT_MS);
