import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { BRL } from '#domain/reconciliation/reconciled-amounts.ts';
import type { RailCall } from '#rails/pix/api-pix-rail.ts';
import { findLastBackupTime } from '#services/backup/find-last-backup-time.ts';
import type { Deps, Observation } from '#services/deps.ts';
import { countOpenDisputes } from '#services/disputes/count-open-disputes.ts';
import { getUnsealedAge } from '#services/ledger/get-unsealed-age.ts';
import { listRails } from '#services/rails/switch-rail.ts';
import { getReconciliationState } from '#services/reconciliation/get-reconciliation-state.ts';
import { getWaitingMoney } from '#services/reviews/get-waiting-money.ts';
import { getQueueState } from '#services/tasks/get-queue-state.ts';

/** From a cached answer to a PSP's time-out. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export type Metrics = {
  observe(observation: Observation): void;
  railCall(call: RailCall): void;
  /** `isRailClosed`: it was rejected because the operator has turned its rail off. */
  httpRequest(request: { method: string; route: string; status: number; seconds: number; isRailClosed: boolean }): void;
  /** Prometheus' text format. The queue, backups, money and the like are read at that moment. */
  render(): Promise<{ contentType: string; text: string }>;
};

/**
 * `certificateEndsAt`: of the client certificate that the installation shows its PSP; null: it has
 * none.
 */
export function createMetrics(deps: Pick<Deps, 'db' | 'clock'>, certificateEndsAt: Date | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'trilho_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'trilho_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route.',
    labelNames: ['method', 'route'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const closedRailRejections = new Counter({
    name: 'trilho_rail_closed_rejections_total',
    help: 'HTTP requests among those with status 503 that were rejected because the operator has turned their rail off.',
    registers,
  });
  const railCalls = new Counter({
    name: 'trilho_rail_calls_total',
    help: 'Calls to providers by outcome.',
    labelNames: ['rail', 'operation', 'outcome'],
    registers,
  });
  const railLatency = new Histogram({
    name: 'trilho_rail_call_duration_seconds',
    help: 'Duration of calls to providers.',
    labelNames: ['rail', 'operation'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const postings = new Counter({
    name: 'trilho_ledger_postings_total',
    help: 'Transfers posted to the ledger by kind.',
    labelNames: ['posting'],
    registers,
  });
  const tasks = new Counter({
    name: 'trilho_tasks_total',
    help: 'Runs of tasks by outcome.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const webhooks = new Counter({
    name: 'trilho_webhook_attempts_total',
    help: 'Webhook attempts by outcome: the class of the status, or why there was none.',
    labelNames: ['outcome'],
    registers,
  });
  const droppedRecords = new Counter({
    name: 'trilho_records_dropped_total',
    help: 'Rows missing in the request log, in the record of provider calls, or among the rejections of the audit, by reason.',
    labelNames: ['record', 'reason'],
    registers,
  });
  const backups = new Counter({
    name: 'trilho_backups_total',
    help: 'Backups of the schedule by outcome, as this process took them.',
    labelNames: ['outcome'],
    registers,
  });
  const lastBackup = new Gauge({
    name: 'trilho_backup_last_success_timestamp_seconds',
    help: 'What the newest backup of the schedule shows the books of; absent where none was taken.',
    registers,
  });
  const certificateEnd = new Gauge({
    name: 'trilho_psp_certificate_end_timestamp_seconds',
    help: 'When the client certificate ends that the installation shows its PSP; absent without a PSP.',
    registers,
  });
  certificateEnd.remove();
  if (certificateEndsAt) certificateEnd.set(certificateEndsAt.getTime() / 1000);
  const archivedLog = new Gauge({
    name: 'trilho_log_archived_timestamp_seconds',
    help: 'Up to when the log of the embedded PostgreSQL is archived; 0 until it was since the start, absent where it is not.',
    registers,
  });
  archivedLog.remove();
  const depth = new Gauge({
    name: 'trilho_queue_depth',
    help: 'Tasks by kind: due now, or scheduled for later.',
    labelNames: ['task', 'state'],
    registers,
  });
  const age = new Gauge({
    name: 'trilho_queue_oldest_due_seconds',
    help: 'How long the oldest due task has been waiting.',
    labelNames: ['task'],
    registers,
  });

  const closedRail = new Gauge({
    name: 'trilho_rail_closed',
    help: '1 where the operator has turned the rail off for every account, else 0.',
    labelNames: ['rail'],
    registers,
  });
  const unsealed = new Gauge({
    name: 'trilho_ledger_unsealed_seconds',
    help: 'How old the oldest transfer is that is not in the ledger proof yet; 0 where all are.',
    registers,
  });

  const waitingMoney = new Gauge({
    name: 'trilho_waiting_money_centavos',
    help: 'Money that waits for somebody: without a charge, in review, or owed by accounts; 0 for coins (operation).',
    labelNames: ['kind', 'mode'],
    registers,
  });
  const waitingSeconds = new Gauge({
    name: 'trilho_waiting_money_oldest_seconds',
    help: 'How long the oldest of it waits for a decision.',
    labelNames: ['kind', 'mode'],
    registers,
  });
  const sweptSeconds = new Gauge({
    name: 'trilho_sweep_age_seconds',
    help: 'How long ago the recent payments of a provider were read for the last time.',
    labelNames: ['rail'],
    registers,
  });

  const disputes = new Gauge({
    name: 'trilho_disputes',
    help: 'Contested payments whose case has not ended, by where it is.',
    labelNames: ['state', 'mode'],
    registers,
  });

  const difference = new Gauge({
    name: 'trilho_reconciliation_difference_centavos',
    help: 'What the books of a PSP and ours differ by, of all days that are over, each difference without its sign, but for what was acknowledged.',
    labelNames: ['rail'],
    registers,
  });
  const coinDifference = new Gauge({
    name: 'trilho_reconciliation_difference_coins',
    help: 'The same of a crypto processor, in coins of each currency.',
    labelNames: ['rail', 'currency'],
    registers,
  });
  const unreadable = new Gauge({
    name: 'trilho_reconciliation_unreadable_entries',
    help: 'Entries of a provider’s lists of these days that could not be read, but for what was acknowledged.',
    labelNames: ['rail', 'currency'],
    registers,
  });
  const reconciledSeconds = new Gauge({
    name: 'trilho_reconciliation_age_seconds',
    help: 'How long ago the last day of a provider ended that was compared with the ledger.',
    labelNames: ['rail', 'currency'],
    registers,
  });

  /** What is unknown is not reported. */
  const resetQueue = () => {
    depth.reset();
    age.reset();
  };
  const readBackups = async () => {
    lastBackup.remove();
    const takenAt = await findLastBackupTime(deps);
    if (takenAt) lastBackup.set(takenAt.getTime() / 1000);
  };
  const readRails = async () => {
    closedRail.reset();
    for (const { rail, closed } of await listRails(deps)) closedRail.set({ rail }, closed ? 1 : 0);
  };
  const readUnsealed = async () => {
    unsealed.remove();
    unsealed.set(await getUnsealedAge(deps));
  };
  const readWaitingMoney = async () => {
    for (const gauge of [waitingMoney, waitingSeconds, sweptSeconds]) gauge.reset();
    const { waiting, sweeps } = await getWaitingMoney(deps);
    for (const { kind, mode, centavos, seconds } of waiting) {
      waitingMoney.set({ kind, mode }, Number(centavos));
      if (seconds !== null) waitingSeconds.set({ kind, mode }, seconds);
    }
    for (const { rail, seconds } of sweeps) sweptSeconds.set({ rail }, seconds);
  };
  const readDisputes = async () => {
    disputes.reset();
    for (const { state, mode, count } of await countOpenDisputes(deps)) disputes.set({ state, mode }, count);
  };
  const readReconciliation = async () => {
    for (const gauge of [difference, coinDifference, unreadable, reconciledSeconds]) gauge.reset();
    for (const { rail, currency, unexplainedAmount, unreadable: entries, seconds } of await getReconciliationState(
      deps,
    )) {
      if (currency === BRL) difference.set({ rail }, Number(unexplainedAmount));
      else coinDifference.set({ rail, currency }, unitsToNumber(unexplainedAmount));
      unreadable.set({ rail, currency }, Number(entries));
      if (seconds !== null) reconciledSeconds.set({ rail, currency }, seconds);
    }
  };
  const readQueue = async () => {
    for (const { kind: task, due, scheduled, oldestDueSeconds } of await getQueueState(deps)) {
      depth.set({ task, state: 'due' }, due);
      depth.set({ task, state: 'scheduled' }, scheduled);
      age.set({ task }, oldestDueSeconds);
    }
  };

  return {
    observe(observation) {
      if (observation.kind === 'ledger_posting') postings.inc({ posting: observation.posting });
      else if (observation.kind === 'task') tasks.inc({ task: observation.task, outcome: observation.outcome });
      else if (observation.kind === 'webhook_attempt') webhooks.inc({ outcome: observation.outcome });
      else if (observation.kind === 'log_archived') archivedLog.set(observation.at.getTime() / 1000);
      else if (observation.kind === 'backup') backups.inc({ outcome: observation.outcome });
      else droppedRecords.inc({ record: observation.record, reason: observation.reason }, observation.count);
    },
    railCall({ rail, operation, outcome, durationMs }) {
      railCalls.inc({ rail, operation, outcome });
      railLatency.observe({ rail, operation }, durationMs / 1000);
    },
    httpRequest({ method, route, status, seconds, isRailClosed }) {
      requests.inc({ method, route, status });
      if (isRailClosed) closedRailRejections.inc();
      latency.observe({ method, route }, seconds);
    },
    async render() {
      // Metrics are wanted most when the database is away.
      await Promise.all([
        readQueue().catch(resetQueue),
        readBackups().catch(() => {}),
        readRails().catch(() => {}),
        readUnsealed().catch(() => {}),
        readWaitingMoney().catch(() => {}),
        readDisputes().catch(() => {}),
        readReconciliation().catch(() => {}),
      ]);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
