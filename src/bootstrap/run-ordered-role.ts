import type { RailCall } from '#rails/pix/api-pix-rail.ts';
import type { Observation } from '#services/deps.ts';
import { startService } from './service.ts';
import { createClosing, stopOnSignals } from './shutdown.ts';
import type { RoleOrder, RoleReport } from './supervise-roles.ts';

/** A message for each observation would cost as much as what is observed. */
const REPORT_EVERY_MS = 250;

/**
 * Runs a process of one role: waits for its order, serves that role, and shuts down when it is
 * asked to, or when the process above it is gone.
 */
export function runOrderedRole(): void {
  const closing = createClosing();
  stopOnSignals(closing, { exceptTerminal: true });
  const report = (message: RoleReport) => process.connected && process.send?.(message);
  process.once('message', (order: RoleOrder) => {
    // For the operator's list of processes.
    process.title = `trilho ${order.env.role}`;
    const { observe, railCall, flush } = collectObservations(report);
    const timer = setInterval(flush, REPORT_EVERY_MS);
    closing.last('observations', () => {
      clearInterval(timer);
      flush();
    });
    startService(order.env, closing, { pages: 'none', above: order.above, observer: { observe, railCall } }).then(
      () => report({ kind: 'ready' }),
      async (error: unknown) => {
        report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
        await closing.now();
        process.exit(1);
      },
    );
  });
}

function collectObservations(report: (message: RoleReport) => void) {
  let observations: Observation[] = [];
  let railCalls: RailCall[] = [];
  return {
    observe: (observation: Observation) => void observations.push(observation),
    railCall: (call: RailCall) => void railCalls.push(call),
    flush() {
      if (observations.length + railCalls.length === 0) return;
      report({ kind: 'observed', observations, railCalls });
      observations = [];
      railCalls = [];
    },
  };
}
