import type { ServerResponse } from 'node:http';
import { sendJson } from '../http/json.ts';
import type { Metrics } from './metrics.ts';

/** GET /healthz: the process is alive, and has not been without a database for a minute. */
export function answerHealth(res: ServerResponse, isHealthy = true): void {
  if (isHealthy) sendJson(res, 200, { status: 'ok' });
  else sendJson(res, 503, { status: 'unhealthy', reason: 'the database has been away for a minute' });
}

/** GET /readyz: it can do its work: the database answers and has every migration. */
export async function answerReadiness(
  res: ServerResponse,
  checkReadiness: () => Promise<string | null>,
  stopping: boolean,
): Promise<void> {
  const reason = stopping ? 'stopping' : await checkReadiness();
  if (reason === null) return sendJson(res, 200, { status: 'ready' });
  sendJson(res, 503, { status: 'unavailable', reason });
}

/** GET /metrics: Prometheus' text format. */
export async function answerMetrics(res: ServerResponse, metrics: Metrics): Promise<void> {
  const { contentType, text } = await metrics.render();
  res.setHeader('content-type', contentType);
  res.end(text);
}
