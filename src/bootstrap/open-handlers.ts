import type { HttpHandlers } from '#server/http/http-handlers.ts';
import { createMetricsTokenCheck } from '#server/observability/metrics-token-check.ts';
import type { Startup } from './startup.ts';

type Parts = {
  shared: Pick<HttpHandlers, 'checkReadiness' | 'log' | 'metrics' | 'health' | 'stopping'>;
  web: HttpHandlers['web'] | undefined;
  pages: HttpHandlers['pages'] | undefined;
  sandbox: { handle: NonNullable<HttpHandlers['sandbox']> } | undefined;
  recordRequest: NonNullable<HttpHandlers['recordRequest']>;
};

/**
 * Opens the listeners for what this process serves: until then they answer 503. With a listener for
 * operations, the main one has the metrics only for requests with METRICS_TOKEN, and in a process
 * of all roles no sandbox.
 */
export function openHandlers({ env, http, operations }: Startup, parts: Parts): void {
  const { shared, web, pages, recordRequest } = parts;
  const sandbox: Pick<HttpHandlers, 'sandbox'> = parts.sandbox
    ? { sandbox: (req, res, path) => parts.sandbox?.handle(req, res, path) }
    : {};
  const hasToken = env.metricsToken ? createMetricsTokenCheck(env.metricsToken) : undefined;
  operations?.http.open({
    ...shared,
    maySeeMetrics: hasToken ?? (() => true),
    ...(env.role === 'all' ? sandbox : {}),
  });
  http.open({
    ...shared,
    maySeeMetrics: hasToken ?? (() => operations === null),
    ...(web && { web }),
    ...(pages && { pages }),
    ...(operations && env.role === 'all' ? {} : sandbox),
    recordRequest,
  });
}
