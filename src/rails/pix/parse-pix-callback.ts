import { z } from 'zod';
import { parseForeignJson } from '#domain/values/parse-json.ts';
import type { PixNotice } from '../ports.ts';
import { PAYOUT_ID, RECEIVED_ID, REFUND_ID, TXID } from './wire.ts';

/**
 * PSPs may group payments in one callback (API Pix 2.9.0, callback `listaPix`); no PSP sends more
 * than this.
 */
const MAX_NOTICES = 1_000;

/**
 * A PIX that we sent (Efí, "Webhooks", example "Pix enviado"): it is in the same list as received
 * ones, and recognised by its idEnvio. Neither its end-to-end id nor the `devolucoes` that came
 * back on it are read, because the payout itself is queried.
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
    // Optional in the standard. A payment without a valid txid must not be lost: it is queried by
    // endToEndId.
    txid: z.string().regex(TXID).nullish().catch(null),
    devolucoes: listOf(returned).nullish().catch(null),
  })
  .transform(({ endToEndId, txid, devolucoes }): PixNotice[] => [
    { about: 'payment', endToEndId, txid: txid ?? null },
    ...(devolucoes ?? []).flatMap((refund): PixNotice[] =>
      refund ? [{ about: 'refund', endToEndId, refundId: refund.id }] : [],
    ),
  ]);

const readable = z.union([sent, received]);
/** One entry that can't be read does not affect the others. */
const entry = readable.nullable().catch(null);

/** Banco Inter posts the list itself (github.com/phpay-io/phpay/releases/tag/v2.8.0). */
const bareList = z.array(entry).min(1).max(MAX_NOTICES);

const callback = z.union([
  // Onz posts the payment itself (github.com/samfelgar/onz, PixQueryResponseTest).
  readable.transform((single) => ({ pix: [single] })),
  z.object({ pix: listOf(entry) }),
  bareList.transform((pix) => ({ pix })),
]);

/**
 * Reads the body that a PSP posts to `{webhookUrl}/pix`: each payment, refund and payout that it
 * names, once and in its order; `null` for a body that names none. It is not authenticated, so
 * amounts and states in it are not read.
 */
export function parsePixCallback(body: string): PixNotice[] | null {
  const parsed = callback.safeParse(parseForeignJson(body));
  if (!parsed.success) return null;
  const named = parsed.data.pix.flatMap((notices) => notices ?? []);
  const notices = new Map(named.map((notice) => [identityOf(notice), notice]));
  return notices.size === 0 || notices.size > MAX_NOTICES ? null : [...notices.values()];
}

function identityOf(notice: PixNotice): string {
  if (notice.about === 'payout') return `payout ${notice.payoutId}`;
  if (notice.about === 'refund') return `refund ${notice.endToEndId} ${notice.refundId}`;
  return `payment ${notice.endToEndId}`;
}
