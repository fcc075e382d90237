import { signWebhook } from '#domain/webhooks/webhook-signature.ts';

/** As long as a delivery waits for its receiver. */
const TIMEOUT_MS = 15_000;

/** `status` null: there was no answer. */
export type Forwarded = { status: number | null; durationMs: number };

/**
 * Posts an event's exact body to a developer's own receiver as a delivery would be: signed by
 * Standard Webhooks, with this secret, and without following a redirect.
 */
export async function forwardEvent(
  url: string,
  { secret, id, body }: { secret: string; id: string; body: string },
): Promise<Forwarded> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const startedAt = performance.now();
  const status = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret, id, timestamp, body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => null,
  );
  return { status, durationMs: Math.round(performance.now() - startedAt) };
}
