import { insertCallback } from '#db/callbacks/callbacks.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { Deps } from '../deps.ts';
import { createWindowCounter } from '../requests/window-counter.ts';

/**
 * How much of the disk the callbacks of a rail over an account's own credentials may take in a
 * minute, in pieces: the account knows their address, and they are kept for months. A usual one is
 * one piece.
 */
const OWN_PIECES_A_MINUTE = 3_000;
const PIECE_LENGTH = 4_096;
const ownPieces = createWindowCounter(OWN_PIECES_A_MINUTE);

/**
 * Stores a provider's callback, whatever it says; a worker finds out what is true of it. Errors:
 * rate_limited (only over an account's own credentials, whose payments are also asked for without
 * any callback).
 */
export async function receiveCallback(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>,
  callback: { rail: string; body: string },
): Promise<void> {
  const pieces = 1 + Math.floor(callback.body.length / PIECE_LENGTH);
  if (ownCredentialId(callback.rail) !== null && !ownPieces.take(callback.rail, pieces).allowed)
    throw new DomainError('rate_limited');
  const now = deps.clock();
  const id = uuidv7(now);
  const body = deps.secretBox.seal(callback.body, sealContext('inbound_callbacks.body', { id }));
  await insertCallback(deps.db.pool, { id, rail: callback.rail, body, now });
  deps.wakeWorkers();
}
