import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { currentAuthRequest } from './auth-request.ts';

/**
 * Wraps better-auth's adapter where it writes passwords. A new one ends every session of its member
 * in the same commit, and not after what else is done then: were that to fail, an intruder would
 * stay signed in. A request that proved a password, or found it when it checked its link, replaces
 * that one and no other: a new one that was set by mail meanwhile stays, as the old one, or an
 * earlier link, may be known to somebody else. And a password is dated by the database's time, as
 * what is compared with it (find-pending-member.ts); better-auth's is that of the machine. Errors
 * (DomainError): not_signed_in, as the new one has ended all sessions; link_over.
 */
export function passwordWrites({ clock }: Pick<Deps, 'clock'>): BetterAuthPlugin {
  return {
    id: 'password-writes',
    init: ({ adapter }) => ({ context: { adapter: writing(adapter, clock) } }),
  };
}

const writing = (adapter: DBAdapter, clock: Deps['clock']): DBAdapter => ({
  ...adapter,
  update: async (asked) => {
    if (!isPassword(asked)) return adapter.update(asked);
    const where = ofProved(asked);
    return adapter.transaction(async (inside) => {
      const row = await inside.update<{ userId: string }>({ ...asked, where, update: dated(asked, clock) });
      if (row === null) throw new DomainError('not_signed_in');
      await endSessionsOf(inside, row.userId);
      return row as never;
    });
  },
  updateMany: async (asked) => {
    if (!isPassword(asked)) return adapter.updateMany(asked);
    const where = ofProved(asked);
    return adapter.transaction(async (inside) => {
      const count = await inside.updateMany({ ...asked, where, update: dated(asked, clock) });
      if (count === 0) throw new DomainError('link_over');
      await endSessionsOf(inside, asked.where.find(({ field }) => field === 'userId')?.value);
      return count;
    });
  },
});

/** Only the password that the request has found, and has proved or replaces by a link. */
function ofProved<W extends { field: string; value: unknown }>({ where }: { where: W[] }): W[] {
  const proved = currentAuthRequest()?.provedHash;
  return proved ? [...where, { field: 'password', value: proved } as W] : where;
}

const dated = ({ update }: { update: Record<string, unknown> }, clock: Deps['clock']) => ({
  ...update,
  updatedAt: clock(),
});

const endSessionsOf = (adapter: Pick<DBAdapter, 'deleteMany'>, userId: unknown): Promise<number> =>
  adapter.deleteMany({ model: 'session', where: [{ field: 'userId', value: String(userId) }] });

const isPassword = ({ model, update }: { model: string; update: object }): boolean =>
  model === 'account' && 'password' in update;
