import { createHash } from 'node:crypto';
import { claimIdempotencyKey, forgetKey, keepAnswer, releaseKey } from '#db/idempotency.ts';
import { DomainError } from '#domain/errors.ts';
import { uuidv7 } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';

/** Longer than any outage after which somebody still repeats a withdrawal. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

export type IdempotentAnswer = {
  status: number;
  body: string;
  /**
   * What becomes of the key: `keep` gives this answer again; `forget`: nothing was done, the key is as good as new; `release`: it
   * failed half-way, the next try goes on under the same id.
   */
  key: 'keep' | 'forget' | 'release';
};

export type Idempotency = {
  /**
   * Runs a request once for its key: the same request gets the same answer again, also when the process died in between.
   * `execute` gets the id of what it creates, the same in every try. `request` is what has to be equal.
   * Errors: invalid_idempotency_key, idempotency_key_reused (another request), idempotency_key_running.
   */
  run(
    request: { accountId: string; key: string; request: string },
    execute: (subjectId: string) => Promise<IdempotentAnswer>,
  ): Promise<{ status: number; body: string; replayed: boolean }>;
};

/** `owner` is the advisory lock that this process holds while it lives. */
export function createIdempotency(deps: Deps, owner: bigint): Idempotency {
  const atWork = new Set<string>();

  const claim = (accountId: string, key: string, request: string, isAtWork: boolean) => {
    const now = deps.clock();
    return claimIdempotencyKey(deps.db.pool, {
      accountId,
      key,
      fingerprint: createHash('sha256').update(request).digest(),
      subjectId: uuidv7(now),
      owner,
      atWork: isAtWork,
      now,
      expiresAt: new Date(now.getTime() + KEPT_MS),
    });
  };

  const settle = async (row: { accountId: string; key: string; subjectId: string }, answer: IdempotentAnswer) => {
    try {
      if (answer.key === 'keep') await keepAnswer(deps.db.pool, { ...row, status: answer.status, body: answer.body });
      else if (answer.key === 'forget') await forgetKey(deps.db.pool, row);
      else await releaseKey(deps.db.pool, row);
    } catch (error) {
      // The request is done, and its repetition finds what it did: an answer that can't be kept is no reason to hide it.
      deps.log.warn({ accountId: row.accountId, err: error }, 'The answer of an idempotent request could not be kept.');
    }
  };

  return {
    async run({ accountId, key, request }, execute) {
      if (!KEY.test(key)) throw new DomainError('invalid_idempotency_key');
      const name = `${accountId} ${key}`;
      const isAtWork = atWork.has(name);
      if (!isAtWork) atWork.add(name);
      try {
        const claimed = await claim(accountId, key, request, isAtWork);
        if (claimed.outcome === 'differs') throw new DomainError('idempotency_key_reused');
        if (claimed.outcome === 'running') throw new DomainError('idempotency_key_running');
        if (claimed.outcome === 'replay') return { status: claimed.status, body: claimed.body, replayed: true };
        const answer = await execute(claimed.subjectId);
        await settle({ accountId, key, subjectId: claimed.subjectId }, answer);
        return { status: answer.status, body: answer.body, replayed: false };
      } finally {
        if (!isAtWork) atWork.delete(name);
      }
    },
  };
}
