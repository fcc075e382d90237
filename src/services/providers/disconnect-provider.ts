import type { CredentialKind } from '#db/accounts/account-terms.ts';
import { countInFlight, findCredentialOf, replaceCredential } from '#db/accounts/own-credentials.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ownRailName } from '#rails/registry.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';

/**
 * Disconnects an account's own credentials of a kind. They are kept, so that what begins at the
 * same moment can be completed with them.
 *
 * Errors: invalid_state (none are in use, or they have changed meanwhile), credentials_in_use (its
 * params: how many charges, invoices, withdrawals, refunds and disputes are under way).
 */
export async function disconnectProvider(deps: Deps, who: ActingMember, kind: CredentialKind): Promise<void> {
  const { accountId } = who;
  const active = await findCredentialOf(deps.db, accountId, kind);
  if (!active) throw new DomainError('invalid_state');
  const inFlight = await countInFlight(deps.db.pool, { accountId, rail: ownRailName(active.railId), before: null });
  if (Object.values(inFlight).some((count) => count > 0)) {
    const params = Object.fromEntries(Object.entries(inFlight).map(([what, count]) => [what, String(count)]));
    throw new DomainError('credentials_in_use', { params });
  }
  const notices = await prepareOwnChangeNotices(deps, who);
  const audit = {
    ...memberEntry(deps, who, 'credentials.disconnected', { kind }),
    notices: notices('credentials_disconnected', kind === 'plisio' ? 'Plisio' : 'PIX'),
  };
  const change = { accountId, kind, replaces: active.id, value: null, now: deps.clock(), audit };
  if (!(await replaceCredential(deps.db, change))) throw new DomainError('invalid_state');
  deps.rails.refreshOwn(active.railId);
  deps.wakeWorkers();
}
