/**
 * Takes due steps. Any number of processes may do so at the same time: a step and the removal of
 * its row are one transaction.
 */
import type { PoolClient } from 'pg';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { endInvoice, payInvoiceWhenDue } from './crypto/pay-invoice.ts';
import { contestPayment, decideDispute, returnContested } from './pix/contest.ts';
import { payWhenDue } from './pix/pay.ts';
import { endPayout } from './pix/payouts.ts';
import { endRefund } from './pix/refunds.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { isUnreported, planStep, type Step, takeDueClockStep, takeDueStep } from './steps.ts';
import { byClock, countUnreported, currentTime, type TestClock } from './test-clocks.ts';

/**
 * Short compared with the time that a payout takes, long compared with the time that a query takes.
 */
const POLL_INTERVAL_MS = 300;
/** A step that fails is due again after this long, so that it holds up no other. */
const RETRY_AFTER_MS = 1_000;

type StepRunner = {
  /** Looks for due steps now and from now on. */
  start(): void;
  /** Looks for due steps now, once started. */
  wake(): void;
  /** Takes all steps that are due now. */
  drainDueTasks(): Promise<void>;
  /**
   * Takes all steps that are due by one test clock, and waits for those that another process has
   * begun.
   */
  drainClock(clockId: string): Promise<void>;
  /** Begins no more steps, and resolves when the one in progress has ended. */
  stop(): Promise<void>;
};

export function createStepRunner(options: SandboxOptions, wakeSender: () => void): StepRunner {
  const { pool, clock, log } = options;
  const time = currentTime(clock);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  function wake(): void {
    running ??= runAll()
      .catch((error: Error) => log.warn({ error: error.message }, 'sandbox: looking for due steps failed'))
      .finally(() => {
        running = null;
      });
  }

  async function runAll(): Promise<void> {
    while (timer && ((await runOne()) || (await runOneByClock({ clockId: null, wait: false })))) wakeSender();
  }

  /** Returns whether a step was due. */
  function runOne(): Promise<boolean> {
    return withTransaction(pool, async (db) => {
      const step = await takeDueStep(db, clock());
      if (step) await attempt(db, step, null);
      return step !== null;
    });
  }

  function runOneByClock(which: { clockId: string | null; wait: boolean }): Promise<boolean> {
    return withTransaction(pool, async (db) => {
      const due = await takeDueClockStep(db, clock(), which);
      if (due) await attempt(db, due.step, due.clock);
      return due !== null;
    });
  }

  const attempt = (db: PoolClient, step: Step, by: TestClock | null) => byClock(by, () => attemptNow(db, step));

  async function attemptNow(db: PoolClient, step: Step): Promise<void> {
    const now = time();
    await db.query('SAVEPOINT step');
    try {
      await run(db, options, step, now);
      if (isUnreported(step)) await countUnreported(db);
    } catch (error) {
      await db.query('ROLLBACK TO SAVEPOINT step');
      await planStep(db, step, new Date(now.getTime() + RETRY_AFTER_MS));
      const message = error instanceof Error ? error.message : String(error);
      log.warn({ kind: step.kind, error: message }, 'sandbox: a due step failed, it will be repeated');
    }
  }

  return {
    wake() {
      if (timer) wake();
    },
    start() {
      timer ??= setInterval(wake, POLL_INTERVAL_MS);
      wake();
    },
    async drainDueTasks() {
      while ((await runOne()) || (await runOneByClock({ clockId: null, wait: false })));
    },
    async drainClock(clockId) {
      while (await runOneByClock({ clockId, wait: true }));
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await running;
    },
  };
}

function run(db: PoolClient, options: SandboxOptions, step: Step, now: Date): Promise<void> {
  switch (step.kind) {
    case 'pay_charge':
      return payWhenDue(db, step, now);
    case 'end_payout':
      return endPayout(db, step, now);
    case 'end_refund':
      return endRefund(db, step, now);
    case 'contest_payment':
      return contestPayment(db, step, now);
    case 'decide_dispute':
      return decideDispute(db, step, now);
    case 'return_contested':
      return returnContested(db, step, now);
    case 'pay_invoice':
      return payInvoiceWhenDue(db, options, step, now);
    case 'end_invoice':
      return endInvoice(db, options, step, now);
  }
}
