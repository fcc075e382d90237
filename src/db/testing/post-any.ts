import type pg from 'pg';
import { NOW } from './ledger-fixture.ts';
import { isPart, isPartEnd, type Request } from './ledger-model.ts';
import { post, postCryptoReceived, postPart, postPartEnd } from './postings.ts';

/** Makes any posting, each in its own form of call. */
export function postAny(
  db: pg.Pool,
  request: Omit<Request, 'transaction'> & { transaction: { id: string } },
): Promise<boolean> {
  const { posting, reference, centavos, received } = request;
  const transactionId = request.transaction.id;
  const part = { transactionId, reference, now: NOW };
  if (isPart(posting)) return postPart(db, posting, { ...part, centavos });
  if (isPartEnd(posting)) return postPartEnd(db, posting, part);
  if (posting !== 'crypto_received') return post(db, posting, transactionId, NOW);
  return postCryptoReceived(db, {
    transactionId,
    pendingCentavos: received.pending,
    netCentavos: received.net,
    feeCentavos: received.fee,
    now: NOW,
  });
}
