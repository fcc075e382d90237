import type { Deps } from '#services/deps.ts';
import { openEventBody } from '#services/webhooks/seal-event-body.ts';

/** Returns the events of a transaction, or of all, oldest first, with the bytes that are sent. */
export async function readEvents(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  transactionId: string | null = null,
): Promise<{ type: string; body: string }[]> {
  const { rows } = await deps.db.pool.query<{ id: string; type: string; body: string }>(
    'SELECT id, type, body FROM events WHERE $1::uuid IS NULL OR transaction_id = $1 ORDER BY id',
    [transactionId],
  );
  return rows.map(({ id, type, body }) => ({ type, body: openEventBody(deps, id, body) }));
}

/** The `data` of a transaction's events, oldest first. */
export const readEventData = async (...[deps, transactionId]: Parameters<typeof readEvents>) =>
  (await readEvents(deps, transactionId)).map(({ body }) => JSON.parse(body).data as Record<string, unknown>);
