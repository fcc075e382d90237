import type { Outcome, PixPaymentsPage, PixPaymentsQuery } from '../ports.ts';
import { done, readPage, settle } from './answer.ts';
import type { ApiPixClient } from './api-pix-client.ts';
import { payments, paymentsPath } from './wire.ts';

const DAY_MS = 86_400_000;
/**
 * Itaú's own document has it for every list, beside 200 (github.com/tiagoskabrazil/
 * pixrecebimentos-itau, openapi_pix_recebimentos_ext_v2.json).
 */
export const NO_CONTENT = 204;

/**
 * Lists received payments. Of a longer period than the PSP takes, a page is a part of the period
 * with all its payments; one of the instant between two parts may be in both.
 */
export async function listPayments(
  client: ApiPixClient,
  query: PixPaymentsQuery,
  deadline: number,
): Promise<Outcome<PixPaymentsPage>> {
  const { listDaysMax } = client.dialect;
  if (listDaysMax === undefined) return askForPage(client, query, deadline);
  // It may count the dates that a period touches: those of 96 hours are five.
  const longestMs = (listDaysMax - 1) * DAY_MS;
  const { from, to, page, refundedOnly } = query;
  if (to.getTime() - from.getTime() <= longestMs) return askForPage(client, query, deadline);
  // Few payments go back, so their parts are long; a part has to be read within one deadline.
  const partMs = refundedOnly ? longestMs : DAY_MS;
  const partFrom = new Date(from.getTime() + page * partMs);
  const partTo = new Date(Math.min(partFrom.getTime() + partMs, to.getTime()));
  const part: PixPaymentsPage = { payments: [], unreadable: 0, hasMore: partTo < to };
  for (let partPage = 0; ; partPage++) {
    const listed = await askForPage(client, { from: partFrom, to: partTo, page: partPage, refundedOnly }, deadline);
    if (listed.outcome !== 'done') return listed;
    part.payments.push(...listed.value.payments);
    part.unreadable += listed.value.unreadable;
    if (!listed.value.hasMore) return done(part);
  }
}

async function askForPage(
  client: ApiPixClient,
  query: PixPaymentsQuery,
  deadline: number,
): Promise<Outcome<PixPaymentsPage>> {
  const path = paymentsPath(query, client.dialect.listsInSeconds);
  const { reply } = await client.send({ method: 'GET', path }, deadline);
  if (reply.kind === 'answered' && reply.status === NO_CONTENT) {
    return done({ payments: [], unreadable: 0, hasMore: false });
  }
  return settle(reply, (json) => readPage(payments, query, json), client.secrets);
}
