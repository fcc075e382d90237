import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../http/json.ts';
import { BODY_BYTES_MAX } from './body.ts';
import type { RestError } from './errors.ts';

/** The time to retry while the database is away: it usually is for seconds. */
const RETRY_AFTER_SECONDS = 5;
/** The time to retry while the first attempt runs: it ends soon. */
const RUNNING_RETRY_AFTER_SECONDS = 1;
/** The time to send a test event again, within which the earlier ones count. */
const TEST_EVENTS_RETRY_AFTER_SECONDS = 60;
/** The time to retry over a rail that is off: somebody turns it on again by hand. */
const RAIL_RETRY_AFTER_SECONDS = 300;

/**
 * Writes an error's body. A request whose body was not read to its end is not worth keeping the
 * connection for.
 */
export function sendRestError(req: IncomingMessage, res: ServerResponse, error: RestError): void {
  if (res.headersSent) return void res.destroy();
  setRetryAfter(res, error);
  if (!req.complete && (error.status === 413 || Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX)) {
    res.setHeader('connection', 'close');
  }
  sendJson(res, error.status, error.body);
}

/** Says when to come back, with an error that passes by itself. */
export function setRetryAfter(res: ServerResponse, { code }: Pick<RestError, 'code'>): void {
  if (code === 'unavailable') res.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
  if (code === 'rail_closed') res.setHeader('retry-after', String(RAIL_RETRY_AFTER_SECONDS));
  if (code === 'too_many_test_events') res.setHeader('retry-after', String(TEST_EVENTS_RETRY_AFTER_SECONDS));
  if (code === 'idempotency_key_running') res.setHeader('retry-after', String(RUNNING_RETRY_AFTER_SECONDS));
}
