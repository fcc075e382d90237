import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { currentAuthRequest } from './auth-request.ts';

/**
 * Wraps better-auth's adapter where it writes passwords. A request that proved a password replaces
 * that one and no other: a new one that was set by mail meanwhile stays, as the old one may be
 * known to somebody else. And a password is dated by the database's time, as what is compared with
 * it (find-pending-member.ts); better-auth's is that of the machine.
 * Errors (DomainError): not_signed_in, as the new one has ended all sessions.
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
    const proved = currentAuthRequest()?.provedHash;
    const where = proved ? [...asked.where, { field: 'password', value: proved }] : asked.where;
    const row = await adapter.update({ ...asked, where, update: { ...asked.update, updatedAt: clock() } });
    if (proved && row === null) throw new DomainError('not_signed_in');
    return row as never;
  },
  updateMany: (asked) =>
    adapter.updateMany(isPassword(asked) ? { ...asked, update: { ...asked.update, updatedAt: clock() } } : asked),
});

const isPassword = ({ model, update }: { model: string; update: object }): boolean =>
  model === 'account' && 'password' in update;
