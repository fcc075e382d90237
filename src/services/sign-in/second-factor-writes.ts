import type { BetterAuthPlugin, DBAdapter } from 'better-auth';
import { removePasskey, removeTotp, startUsingTotp } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { currentAuthRequest } from './auth-request.ts';
import { endOfPause } from './pause-withdrawals.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Wraps better-auth's adapter where it makes and removes second factors, each of which happens once
 * where two requests come at once: of two tabs that begin to set an authenticator up, one shows the
 * key and the recovery codes that are kept, what is removed twice is recorded once, and a passkey
 * that is removed while it signs in begins no session. An authenticator's row and the member's flag
 * change together, which better-auth does in two commits: a member with the flag alone could not
 * sign in. The removal of the last one pauses withdrawals, whatever fails after it. Errors
 * (DomainError): invalid_state, for the other request.
 */
export function secondFactorWrites(deps: WriteDeps): BetterAuthPlugin {
  return {
    id: 'second-factor-writes',
    init: ({ adapter }) => ({ context: { adapter: writing(deps, adapter) } }),
  };
}

const writing = (deps: WriteDeps, adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  create: async (asked) => {
    try {
      return await adapter.create(asked);
    } catch (error) {
      if (isSecondFactor(asked) && isTaken(error)) throw new DomainError('invalid_state');
      throw error;
    }
  },
  findOne: async (asked) => {
    const row = await adapter.findOne(asked);
    const request = currentAuthRequest();
    if (request && asked.model === 'twoFactor') request.totpSecret = (row as { secret: string } | null)?.secret ?? null;
    return row as never;
  },
  update: async (asked) => {
    if (asked.model === 'user' && 'twoFactorEnabled' in asked.update) return changeFlag(deps, adapter, asked);
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
    const now = deps.clock();
    const until = endOfPause(now);
    const isGone =
      asked.model === 'twoFactor'
        ? await removeTotp(deps.db, { memberId: idIn(asked, 'userId'), until, now })
        : await removePasskey(deps.db, { id: idIn(asked, 'id'), until });
    if (!isGone) throw new DomainError('invalid_state');
  },
});

type Write = { model: string; where: { field: string; value: unknown }[] };

/** Sets the flag with the row. It is taken back with the row, which better-auth deletes next. */
async function changeFlag(
  { db, clock }: WriteDeps,
  adapter: DBAdapter,
  asked: Write & { update: Record<string, unknown> },
): Promise<never> {
  const memberId = idIn(asked, 'id');
  const { twoFactorEnabled } = asked.update;
  if (twoFactorEnabled === true) {
    const sealedSecret = currentAuthRequest()?.totpSecret ?? '';
    if (!(await startUsingTotp(db, { memberId, sealedSecret, now: clock() }))) throw new DomainError('invalid_state');
  }
  const member = await adapter.findOne<object>({ model: 'user', where: [{ field: 'id', value: memberId }] });
  return { ...member, twoFactorEnabled } as never;
}

const idIn = ({ where }: Write, field: string): string => String(where.find((one) => one.field === field)?.value);

const isSecondFactor = ({ model }: { model: string }): boolean => model === 'twoFactor' || model === 'passkey';

/** Prisma's error of a unique index. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === 'P2002';
