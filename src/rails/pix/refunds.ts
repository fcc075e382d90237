import type { Outcome, PixRefund, PixRefundRequest } from '../ports.ts';
import { find, read, settle, unknown } from './answer.ts';
import type { ApiPixClient } from './api-pix-client.ts';
import { refund, refundBody } from './wire.ts';

type Refunds = {
  refund(request: PixRefundRequest, deadline: number): Promise<Outcome<PixRefund>>;
  find(endToEndId: string, refundId: string, deadline: number): Promise<Outcome<PixRefund | null>>;
};

/** The calls of `/pix/{e2eid}/devolucao/{id}`. */
export function createRefunds(client: ApiPixClient): Refunds {
  async function findRefund(endToEndId: string, refundId: string, deadline: number) {
    const found = await find(client, pathOf(endToEndId, refundId), refund, deadline);
    if (found.outcome !== 'done' || found.value === null || found.value.refundId === refundId) return found;
    return unknown('the PSP answered about another refund');
  }

  async function askRefund(request: PixRefundRequest, deadline: number): Promise<Outcome<PixRefund>> {
    const { endToEndId, refundId, amountCentavos } = request;
    const call = { method: 'PUT', path: pathOf(endToEndId, refundId), body: refundBody(request) } as const;
    const { reply, repeated } = await client.send(call, deadline);
    const answer = settle(reply, (json) => read(refund, json), client.secrets);
    const isOurs = (found: PixRefund) => found.refundId === refundId && found.amountCentavos === amountCentavos;
    if (answer.outcome === 'done' && isOurs(answer.value)) return answer;

    // The standard rejects an id in use (PixDevolucaoInvalida), so a rejection may be about a
    // refund that an earlier call made: only the refund itself shows it. It is money, so anything
    // uncertain is `unknown`.
    const reason = answer.outcome === 'done' ? 'the PSP answered about another refund' : answer.reason;
    const existing = await findRefund(endToEndId, refundId, deadline);
    if (existing.outcome !== 'done') return unknown(`${reason}; asked for the refund: ${existing.reason}`);
    if (existing.value === null) return answer.outcome === 'rejected' && !repeated ? answer : unknown(reason);
    if (isOurs(existing.value)) return { outcome: 'done', value: existing.value };
    return { outcome: 'rejected', reason: 'the id belongs to a refund of another amount' };
  }

  return { refund: askRefund, find: findRefund };
}

const pathOf = (endToEndId: string, refundId: string) =>
  `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(refundId)}`;
