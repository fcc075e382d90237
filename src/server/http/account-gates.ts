import type { ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { createGate } from '#domain/requests/gate.ts';
import { runForAccount } from '#services/accounts/run-for-account.ts';

/**
 * The requests of one account that run in a process at once, over all its keys and members. They
 * mostly wait for a PSP, three tenths of a second for a charge: 32 at once are a hundred charges a
 * second, as many as a key may ask for. A payroll that is sent at once, a hundred withdrawals,
 * waits and is served; a request that waits too long gets 429 before its client gives up.
 */
const WRITES = { running: 32, waiting: 96, waitMs: 5_000 };
/** Reads are over in milliseconds: a burst of many is ordinary. */
const READS = { running: 32, waiting: 256, waitMs: 5_000 };
const RETRY_AFTER_SECONDS = 1;

export type AccountGates = {
  /**
   * Runs an account's work once there is a place for it. Errors (DomainError): rate_limited, with
   * Retry-After where there is a `res`.
   */
  run<T>(kind: 'write' | 'read', accountId: string, res: ServerResponse | null, work: () => Promise<T>): Promise<T>;
};

/**
 * Bounds what runs for one account, so that a flood or a lock of its own delays no other account.
 */
export function createAccountGates(): AccountGates {
  const gates = { write: createGate(WRITES), read: createGate(READS) };
  return {
    async run(kind, accountId, res, work) {
      const leave = await gates[kind].enter(accountId);
      if (!leave) {
        res?.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
        throw new DomainError('rate_limited');
      }
      try {
        // The pools count the work's connections for this account.
        return await runForAccount(accountId, work);
      } finally {
        leave();
      }
    },
  };
}
