import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnsweredRequest } from '#services/requests/request-recorder.ts';
import type { AuthHandler } from '../auth/auth-handler.ts';
import type { McpHandler } from '../mcp/mcp-handler.ts';
import type { DatabaseHealth } from '../observability/database-health.ts';
import type { ServerLog } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { OperatorHandler } from '../operator/operator-handler.ts';
import type { FileHandler } from '../panel/file-handler.ts';
import type { PageHandler } from '../panel/page-handler.ts';
import type { TrpcHandler } from '../panel/trpc-handler.ts';
import type { RestBridge } from '../rest/rest-bridge.ts';
import type { LaneDeps } from './lane-deps.ts';
import type { VisitorLimits } from './visitor-limits.ts';

/** What a process serves, by its role; what is missing is answered 404. */
export type HttpHandlers = {
  /** Resolves to why the process can't do its work now; null when it can. */
  checkReadiness: () => Promise<string | null>;
  log: ServerLog;
  metrics: Metrics;
  /** Whether a request may see the metrics; without permission the address does not exist. */
  maySeeMetrics: (req: IncomingMessage) => boolean;
  health: DatabaseHealth;
  /** The REST API, the pages' procedures and the callbacks. */
  web?: {
    deps: LaneDeps;
    publicUrl: string;
    rest: RestBridge;
    /** The tools of assistants. */
    mcp: McpHandler;
    /** The OpenAPI document, as it is sent. */
    document: string;
    auth: AuthHandler;
    panel: TrpcHandler;
    files: FileHandler;
    operator: OperatorHandler;
    visitors: VisitorLimits;
  };
  pages?: PageHandler;
  sandbox?: (req: IncomingMessage, res: ServerResponse, path: string) => void;
  /** Adds a request that was made with a valid key to the merchant's request log. */
  recordRequest?: (request: AnsweredRequest) => void;
  /** Whether the process is about to end: readiness says so to the load balancer. */
  stopping: () => boolean;
};
