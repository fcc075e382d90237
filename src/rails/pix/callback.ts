import { z } from 'zod';
import type { PixNotice } from '../ports.ts';
import { END_TO_END_ID, TXID } from './wire.ts';

/** PSPs may group payments in one callback (API Pix 2.9.0, callback `listaPix`); more than this is no PSP's doing. */
const MAX_CALLBACK_ENTRIES = 1_000;

const entry = z.object({
  endToEndId: z.string().regex(END_TO_END_ID),
  // Optional in the standard. What is not a txid is no reason to lose the payment: it is asked for by endToEndId.
  txid: z.string().regex(TXID).nullish().catch(null),
});

/** The standard has a list; some PSPs send a single payment as the object itself. */
const callback = z.object({
  pix: z.union([z.array(entry).max(MAX_CALLBACK_ENTRIES), entry.transform((single) => [single])]),
});

/**
 * Reads the body that a PSP posts to `{webhookUrl}/pix`, each payment once; null when it is not such a body. It is
 * not authenticated and counts as a hint only, so amounts and refunds in it are not even read.
 */
export function parsePixCallback(body: string): PixNotice[] | null {
  const parsed = callback.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const notices = new Map<string, PixNotice>();
  for (const { endToEndId, txid } of parsed.data.pix) {
    notices.set(endToEndId, { endToEndId, txid: txid ?? null });
  }
  return [...notices.values()];
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
