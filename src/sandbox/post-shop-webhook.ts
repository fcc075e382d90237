/**
 * The demo merchant's own system, of which only the server behind its webhook URL is simulated. It
 * accepts every event, but now and then one arrives while the server restarts.
 */
import { parseJson } from './body.ts';
import { pixProblem } from './problems.ts';
import type { Reply, SandboxRequest } from './sandbox-request.ts';

/**
 * One event in `AWAY_ONCE_IN` fails, for `AWAY_SECONDS` after what it reports; a later attempt
 * arrives.
 */
const AWAY_ONCE_IN = 20;
const AWAY_SECONDS = 60;

/**
 * Answers a webhook (Standard Webhooks): 200, or 503 while the server restarts. Throws a 400
 * Problem when the body is no webhook.
 */
export async function postShopWebhook({ headers, readBody }: SandboxRequest): Promise<Reply> {
  const event = parseJson(await readBody()) as { id?: unknown; timestamp?: unknown } | null;
  const happenedAt = Date.parse(String(event?.timestamp));
  const sentAt = Number(headers['webhook-timestamp']) * 1000;
  if (typeof event?.id !== 'string' || Number.isNaN(happenedAt) || Number.isNaN(sentAt)) {
    throw pixProblem('RequisicaoInvalida', {
      detail: 'Isto não é um webhook: faltam id, timestamp ou webhook-timestamp.',
    });
  }
  const isAway = sentAt - happenedAt < AWAY_SECONDS * 1000 && numberOf(event.id) % AWAY_ONCE_IN === 0;
  return isAway
    ? { status: 503, body: { erro: 'Estamos reiniciando. Tente de novo em um minuto.' } }
    : { status: 200, body: { recebido: event.id } };
}

const numberOf = (id: string) => [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_537, 0);
