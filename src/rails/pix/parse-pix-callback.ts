import { z } from 'zod';
import { parseJson } from '#domain/values/parse-json.ts';
import type { PixNotice } from '../ports.ts';
import { PAYOUT_ID, RECEIVED_ID, REFUND_ID, TXID } from './wire.ts';

/**
 * PSPs may group payments in one callback (API Pix 2.9.0, callback `listaPix`); more than this is
 * no PSP's doing.
 */
const MAX_NOTICES = 1_000;

/**
 * A PIX that we sent (Efí, "Webhooks", example "Pix enviado"): beside received ones in the same
 * list, known by its idEnvio. Its end-to-end id is not read, and neither are the `devolucoes` that
 * came back on it: the payout is asked for as it is.
 */
const sent = z
  .object({ gnExtras: z.object({ idEnvio: z.string().regex(PAYOUT_ID) }) })
  .transform(({ gnExtras }): PixNotice[] => [{ about: 'payout', payoutId: gnExtras.idEnvio }]);

const returned = z
  .object({ id: z.string().regex(REFUND_ID) })
  .nullable()
  .catch(null);

/**
 * The standard has lists; its own example and some PSPs have a single entry as the object itself.
 */
const listOf = <T>(entry: z.ZodType<T>) =>
  z.union([z.array(entry).max(MAX_NOTICES), entry.transform((single) => [single])]);

const received = z
  .object({
    endToEndId: z.string().regex(RECEIVED_ID),
    // Optional in the standard. What is not a txid is no reason to lose the payment: it is asked
    // for by endToEndId.
    txid: z.string().regex(TXID).nullish().catch(null),
    devolucoes: listOf(returned).nullish().catch(null),
  })
  .transform(({ endToEndId, txid, devolucoes }): PixNotice[] => [
    { about: 'payment', endToEndId, txid: txid ?? null },
    ...(devolucoes ?? []).flatMap((refund): PixNotice[] =>
      refund ? [{ about: 'refund', endToEndId, refundId: refund.id }] : [],
    ),
  ]);

const entry = z.union([sent, received]);

/** Banco Inter posts the list itself (github.com/phpay-io/phpay/releases/tag/v2.8.0). */
const bareList = z.array(entry).min(1).max(MAX_NOTICES);

const callback = z.union([z.object({ pix: listOf(entry) }), bareList.transform((pix) => ({ pix }))]);

/**
 * Reads the body that a PSP posts to `{webhookUrl}/pix`: each payment, refund and payout that it
 * names, once and in its order; null when it is not such a body. It is not authenticated, so
 * amounts and states in it are not read.
 */
export function parsePixCallback(body: string): PixNotice[] | null {
  const parsed = callback.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const notices = new Map(parsed.data.pix.flat().map((notice) => [identityOf(notice), notice]));
  return notices.size > MAX_NOTICES ? null : [...notices.values()];
}

function identityOf(notice: PixNotice): string {
  if (notice.about === 'payout') return `payout ${notice.payoutId}`;
  if (notice.about === 'refund') return `refund ${notice.endToEndId} ${notice.refundId}`;
  return `payment ${notice.endToEndId}`;
}
