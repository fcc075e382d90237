import { type FailingEndpoint, findFailingEndpoints } from '#db/webhooks/find-failing-endpoints.ts';
import type { Deps } from '../deps.ts';

/**
 * Which of an account's webhooks fail, since when, and how many events wait; also those that a 410,
 * or days of failing, disabled.
 */
export const failingEndpoints = (deps: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<FailingEndpoint[]> =>
  findFailingEndpoints(deps.db.pool, accountId);
