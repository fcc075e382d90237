import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { DomainError } from '#domain/errors/domain-error.ts';
import { currentAuthRequest } from './auth-request.ts';

/**
 * Wraps better-auth's adapter: a request that proved a password replaces that one and no other. A
 * new one that was set by mail meanwhile stays, as the old one may be known to somebody else.
 * Errors (DomainError): not_signed_in, as the new one has ended all sessions.
 */
export function provedPassword(): BetterAuthPlugin {
  return {
    id: 'proved-password',
    init: ({ adapter }) => ({ context: { adapter: replacingProved(adapter) } }),
  };
}

const replacingProved = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  update: async (asked) => {
    const proved = asked.model === 'account' && 'password' in asked.update && currentAuthRequest()?.provedHash;
    if (!proved) return adapter.update(asked);
    const row = await adapter.update({ ...asked, where: [...asked.where, { field: 'password', value: proved }] });
    if (row === null) throw new DomainError('not_signed_in');
    return row as never;
  },
});
