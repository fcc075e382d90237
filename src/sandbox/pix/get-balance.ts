/**
 * GET /v2/gn/saldo, as Efí has it (dev.efipay.com.br, "Endpoints exclusivos Efí"). This PSP blocks
 * nothing.
 */
import { toDecimal } from '#domain/values/money.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { isQuerySilenced } from '../switches.ts';

/**
 * Answers what this client received, less what was given back and what was sent. What has happened
 * by a test clock that is ahead counts once it is that time here, as in the lists of a period.
 */
export async function getBalance(
  options: SandboxOptions,
  client: SandboxClient,
  query: URLSearchParams,
): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const { rows } = await options.pool.query<{ centavos: string }>({
    name: 'sandbox_find_balance',
    text: `SELECT (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payments
                WHERE document = $1 AND paid_at <= $2)
             - (SELECT coalesce(sum(r.amount_centavos), 0) FROM sandbox.refunds r
                JOIN sandbox.payments p USING (end_to_end_id)
                WHERE p.document = $1 AND r.status = 'DEVOLVIDO' AND r.settled_at <= $2)
             - (SELECT coalesce(sum(amount_centavos), 0) FROM sandbox.payouts
                WHERE document = $1 AND status = 'REALIZADO' AND settled_at <= $2) AS centavos`,
    values: [client.document, options.clock()],
  });
  const bloqueios = query.get('bloqueios') === 'true' ? NOTHING_BLOCKED : undefined;
  return { status: 200, body: { saldo: toDecimal(BigInt(rows[0]?.centavos ?? 0)), bloqueios } };
}

const NOTHING_BLOCKED = { judicial: '0.00', med: '0.00', total: '0.00' };
