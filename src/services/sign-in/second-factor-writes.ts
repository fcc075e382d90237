import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { DomainError } from '#domain/errors/domain-error.ts';

/**
 * Wraps better-auth's adapter where it makes and removes second factors, each of which happens once
 * where two requests come at once: of two tabs that begin to set an authenticator up, one shows the
 * key and the recovery codes that are kept, what is removed twice is recorded once, and a passkey
 * that is removed while it signs in begins no session. Errors (DomainError): invalid_state, for the
 * other request.
 */
export function secondFactorWrites(): BetterAuthPlugin {
  return {
    id: 'second-factor-writes',
    init: ({ adapter }) => ({ context: { adapter: writing(adapter) } }),
  };
}

const writing = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  create: async (asked) => {
    try {
      return await adapter.create(asked);
    } catch (error) {
      if (isSecondFactor(asked) && isTaken(error)) throw new DomainError('invalid_state');
      throw error;
    }
  },
  update: async (asked) => {
    const replacesKey = asked.model === 'twoFactor' && 'secret' in asked.update;
    if (!replacesKey && asked.model !== 'passkey') return adapter.update(asked);
    // Only one that is still being set up: by any other its member signs in. A passkey counts what
    // it signs, before the session is made.
    const where = replacesKey ? [...asked.where, { field: 'verified', value: false }] : asked.where;
    const row = await adapter.update({ ...asked, where });
    if (row === null) throw new DomainError('invalid_state');
    return row as never;
  },
  delete: async (asked) => {
    if (!isSecondFactor(asked)) return adapter.delete(asked);
    if ((await adapter.deleteMany(asked)) === 0) throw new DomainError('invalid_state');
  },
});

const isSecondFactor = ({ model }: { model: string }): boolean => model === 'twoFactor' || model === 'passkey';

/** Prisma's error of a unique index. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === 'P2002';
