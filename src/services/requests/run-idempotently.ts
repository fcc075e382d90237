import { createHash } from 'node:crypto';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { claimIdempotencyKey, deleteKey, keepAnswer, releaseKey } from '#db/requests/idempotency.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ID_KEPT_MS } from '#domain/transactions/id-age.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/**
 * Any key that is accepted. Those of the panel have blanks in them, which no key sent to REST has.
 */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
/** Without blanks: Node joins a header that was sent twice to one with a blank in it. */
const SENT_KEY = /^[\x21-\x7e]{1,255}$/;

/** Whether a text is valid as the header Idempotency-Key. */
export const isIdempotencyKey = (text: string): boolean => SENT_KEY.test(text);

export type IdempotentAnswer = {
  status: number;
  body: string;
  /** Kept in place of the body where that has a secret. */
  kept?: string;
  /**
   * The outcome of the key: `keep`: this response is replayed; `delete`: nothing was done, the key
   * can be used again; `release`: it failed half-way, the next attempt continues under the same id.
   * An error after an earlier attempt of unknown outcome always releases the key.
   */
  key: 'keep' | 'delete' | 'release';
};

export type Idempotency = {
  /**
   * Runs a request once for its key: the same request gets the same response again, also when the
   * process died in between. `execute` gets the id of what it creates, the same in every attempt,
   * and `resumed`: an attempt before this one began, and may have done it. `request` is the text
   * that has to be equal. `mayReplay` is called before a response is replayed, and throws where the
   * caller may not have it any more. Errors: invalid_idempotency_key, idempotency_key_reused
   * (another request), idempotency_key_running, those of `mayReplay`.
   */
  run(
    request: {
      accountId: string;
      key: string;
      request: string;
      mayReplay: () => Promise<void>;
      /** The current time of the account: the id of what is created is of this instant. */
      createdAt: Date;
    },
    execute: (subjectId: string, resumed: boolean) => Promise<IdempotentAnswer>,
  ): Promise<{ status: number; body: string; replayed: boolean }>;
};

const contextOf = ({ accountId, key }: { accountId: string; key: string }) =>
  sealContext('idempotency_keys.body', { account_id: accountId, key });

/**
 * Only the hash of a key is kept, because senders make keys of order numbers and of people's names.
 * The hash depends on no master key: after those were changed it must still be found, or a repeated
 * withdrawal would be a second one.
 */
const hashKey = (accountId: string, key: string) => createHash('sha256').update(`${accountId} ${key}`).digest('hex');

/** `owner` is the advisory lock that this process holds while it lives. */
export function createIdempotency(deps: Deps, owner: bigint): Idempotency {
  const atWork = new Set<string>();

  const claim = (accountId: string, key: string, request: string, createdAt: Date, isAtWork: boolean) => {
    const now = deps.clock();
    return claimIdempotencyKey(deps.db.pool, {
      accountId,
      key,
      // Sealed: where only a CPF in a request is unknown, a hash of it could be guessed.
      fingerprints: deps.secretBox.sealEqualAll(
        createHash('sha256').update(request).digest('base64'),
        sealContext('idempotency_keys.fingerprint', { account_id: accountId, key }),
      ),
      subjectId: uuidv7(createdAt),
      owner,
      atWork: isAtWork,
      now,
      expiresAt: new Date(now.getTime() + ID_KEPT_MS),
    });
  };

  const settle = async (row: { accountId: string; key: string; subjectId: string }, answer: IdempotentAnswer) => {
    try {
      if (answer.key === 'keep') {
        const body = deps.secretBox.seal(answer.kept ?? answer.body, contextOf(row));
        await keepAnswer(deps.db.pool, { ...row, status: answer.status, body });
      }
      if (answer.key === 'delete') await deleteKey(deps.db.pool, row);
      if (answer.key === 'release') await releaseKey(deps.db.pool, row);
    } catch (error) {
      // The request is done, and its repetition finds what it did: an answer that can't be kept is
      // no reason to hide it.
      deps.log.warn({ accountId: row.accountId, err: error }, 'The answer of an idempotent request could not be kept.');
    }
  };

  return {
    async run({ accountId, key: given, request, mayReplay, createdAt }, execute) {
      if (!KEY.test(given)) throw new DomainError('invalid_idempotency_key');
      const key = hashKey(accountId, given);
      const name = `${accountId} ${key}`;
      const isAtWork = atWork.has(name);
      if (!isAtWork) atWork.add(name);
      try {
        const claimed = await claim(accountId, key, request, createdAt, isAtWork);
        if (claimed.outcome === 'differs') throw new DomainError('idempotency_key_reused');
        if (claimed.outcome === 'running') throw new DomainError('idempotency_key_running');
        if (claimed.outcome === 'replay') {
          await mayReplay();
          const body = deps.secretBox.open(claimed.body, contextOf({ accountId, key }));
          return { status: claimed.status, body, replayed: true };
        }
        const answer = await execute(claimed.subjectId, claimed.resumed);
        // An attempt before this one may have done it: then an error of this one does not say that
        // nothing was done, and a key that was deleted would have the next attempt do it again.
        const outcome = claimed.resumed && answer.status >= 400 ? 'release' : answer.key;
        await settle({ accountId, key, subjectId: claimed.subjectId }, { ...answer, key: outcome });
        return { status: answer.status, body: answer.body, replayed: false };
      } finally {
        if (!isAtWork) atWork.delete(name);
      }
    },
  };
}
