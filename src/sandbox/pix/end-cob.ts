/** A charge that ends without a payment: it expires, or the PSP removes it. */

import { withTransaction } from '#db/connection/with-transaction.ts';
import { controlProblem } from '../problems.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { lockCob, type PayableCob } from './pay.ts';

/** Makes a charge expire now. Throws control Problems: 404, 409. */
export async function expireCob(options: SandboxOptions, txid: string): Promise<{ expiresAt: string }> {
  const now = options.clock();
  await withTransaction(options.pool, async (db) => {
    const cob = await lockCob(db, { txid });
    requireOpen(cob, now);
    await db.query('UPDATE sandbox.cobs SET expires_at = $3 WHERE document = $1 AND txid = $2', [
      cob.document,
      txid,
      now,
    ]);
  });
  return { expiresAt: now.toISOString() };
}

/** Removes a charge as the PSP itself does. Throws control Problems: 404, 409. */
export async function removeCobOfPsp(options: SandboxOptions, txid: string): Promise<{ status: string }> {
  const now = options.clock();
  const status = 'REMOVIDA_PELO_PSP';
  await withTransaction(options.pool, async (db) => {
    const cob = await lockCob(db, { txid });
    requireOpen(cob, now);
    await db.query('UPDATE sandbox.cobs SET status = $3, revisao = revisao + 1 WHERE document = $1 AND txid = $2', [
      cob.document,
      txid,
      status,
    ]);
  });
  return { status };
}

function requireOpen(cob: PayableCob, now: Date): void {
  if (cob.status.startsWith('REMOVIDA')) {
    throw controlProblem(409, 'The charge was removed already.', { reason: 'removed' });
  }
  if (cob.status === 'CONCLUIDA') throw controlProblem(409, 'The charge is paid already.', { reason: 'paid' });
  if (cob.expires_at <= now) throw controlProblem(409, 'The charge has expired already.', { reason: 'expired' });
}
