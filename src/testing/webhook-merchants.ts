import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FieldIssue } from '#domain/errors/issues.ts';
import { makePaidCharge } from './paid-charge.ts';
import { panelCaller } from './panel-caller.ts';
import { startTestService } from './test-service.ts';

/**
 * How long a receiver that fails asks for (`Retry-After`). By the schedule alone it would be called
 * again after five seconds, which a busy machine may take before a test has read the first attempt.
 */
const RETRY_AFTER_MS = 600_000;

export type Call = { headers: IncomingHttpHeaders; body: string };
type Receiver = {
  url: string;
  calls: Call[];
  /**
   * `before`: what happens between a call and its answer. `retryAfterMs`: for how long a call that
   * it rejects is put off, RETRY_AFTER_MS unless changed; 0: by the schedule alone.
   */
  answer: { status: number; text: string; retryAfterMs: number; before?: () => Promise<unknown> };
};

/**
 * A service whose clock can be moved, with merchants who read their webhooks in the panel, and
 * their servers.
 */
export type WebhookMerchants = Awaited<ReturnType<typeof startWebhookMerchants>>;

export async function startWebhookMerchants() {
  let aheadMs = 0;
  const clock = () => new Date(Date.now() + aheadMs);
  const trilho = await startTestService({ clock, variables: { DEMO: 'true' } });
  const closing: (() => void)[] = [];

  async function merchant(webhookUrl: string | null = null, options: { mode?: 'live' | 'test' } = {}) {
    const account = await trilho.openAccount({ webhookUrl, ...options });
    const { webhooks, events } = await panelCaller(trilho.deps, account.accountId);
    return { ...account, panel: webhooks, events };
  }

  return {
    trilho,
    merchant,
    timePasses(ms: number) {
      aheadMs += ms;
    },
    /** Until the next attempt of what a receiver has rejected is due. */
    retryIsDue() {
      aheadMs += RETRY_AFTER_MS + 1_000;
    },
    backToNow() {
      aheadMs = 0;
    },

    /** A merchant's server; its answer can be changed while it runs. */
    async receiver(status = 200, text = ''): Promise<Receiver> {
      const calls: Call[] = [];
      const answer: Receiver['answer'] = { status, text, retryAfterMs: RETRY_AFTER_MS };
      const server = createServer(async (req, res) => {
        const chunks: Buffer[] = [];
        for await (const chunk of req) chunks.push(chunk as Buffer);
        calls.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
        await answer.before?.();
        const headers = answer.status >= 400 ? { 'retry-after': String(answer.retryAfterMs / 1_000) } : {};
        res.writeHead(answer.status, headers).end(answer.text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => server.close());
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, calls, answer };
    },

    /**
     * Waits until the charge's event exists, so that events of successive charges are in this
     * order.
     */
    async paidCharge({ apiKey }: { apiKey: string }, body: object = {}) {
      const id = await makePaidCharge(trilho, apiKey, { amount: 37, ...body });
      return id;
    },

    /**
     * Waits until the newest delivery of a transaction (or of all) has a status and as many
     * attempts as said.
     */
    settled: (
      { panel }: Awaited<ReturnType<typeof merchant>>,
      status: string,
      attempts: number,
      transaction_id?: string,
    ) =>
      trilho.until(`a delivery is ${status} after ${attempts} attempts`, async () => {
        const { deliveries } = await panel.deliveries({ ...(transaction_id && { transaction_id }) });
        const [newest] = deliveries;
        return newest?.status === status && newest.attempts === attempts ? newest : null;
      }),
    called: ({ calls }: Receiver, times: number) =>
      trilho.until(`${times} calls`, async () => (calls.length >= times ? true : null)),

    auditOf: async (accountId: string) =>
      (
        await trilho.deps.db.pool.query<{ action: string; details: Record<string, unknown> }>(
          'SELECT action, details FROM audit_records WHERE account_id = $1 ORDER BY id',
          [accountId],
        )
      ).rows,

    async stop() {
      await trilho.stop();
      for (const close of closing) close();
    },
  };
}

/** The code of a procedure's error, and the first issue of its fields. */
export async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (caught: { cause?: { code?: string; details?: FieldIssue[] } }) => caught,
  );
  return { code: error?.cause?.code, issue: error?.cause?.details?.[0]?.issue };
}
