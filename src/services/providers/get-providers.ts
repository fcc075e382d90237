import type { AccountTerms, CredentialKind } from '#db/accounts/account-terms.ts';
import {
  type ConnectedCredential,
  countInFlight,
  type InFlight,
  listConnected,
  listCredentialsOf,
} from '#db/accounts/own-credentials.ts';
import type { Provider } from '#domain/providers/providers.ts';
import { providerOf } from '#rails/own-credentials.ts';
import { ownRailName } from '#rails/registry.ts';
import type { Deps, SandboxCredentials } from '../deps.ts';
import { lacksOwnCredentials } from './require-own-credentials.ts';
import { openCredentials } from './seal-credentials.ts';

export type ProviderRail = {
  kind: CredentialKind;
  /** Whose credentials new payments use; `none` when a provider has to be connected first. */
  uses: 'own' | 'installation' | 'sandbox' | 'none';
  connected: (Omit<ConnectedCredential, 'kind' | 'sealed' | 'railId' | 'id'> & { provider: Provider }) | null;
  inFlight: InFlight;
  /** What is in flight over earlier credentials, which must stay valid until it has ended. */
  earlierInFlight: InFlight;
};

export type Providers = {
  isRequired: boolean;
  /** What the sandbox gives the account; null: no demonstration, or a test account. */
  sandbox: SandboxCredentials | null;
  rails: ProviderRail[];
};

const KINDS = ['api_pix', 'plisio'] as const;

/** Returns whose credentials an account uses on each rail, without any secret of its own ones. */
export async function getProviders(
  deps: Deps,
  account: Pick<AccountTerms, 'accountId' | 'mode' | 'credentials'>,
): Promise<Providers> {
  const { settings } = deps;
  const connected = await listConnected(deps.db, account.accountId);
  const rails: ProviderRail[] = [];
  for (const kind of KINDS) {
    const own = (account.mode === 'live' && connected.find((one) => one.kind === kind)) || null;
    rails.push({
      kind,
      uses: own ? 'own' : await otherwise(deps, account, kind),
      connected: own && present(deps, own),
      ...(await inFlightOf(deps, account.accountId, kind, own)),
    });
  }
  const sandbox = account.mode === 'live' ? (settings.sandboxCredentials?.(account.accountId) ?? null) : null;
  return { isRequired: settings.requireOwnCredentials && account.mode === 'live', sandbox, rails };
}

async function otherwise(
  deps: Deps,
  account: Pick<AccountTerms, 'mode' | 'credentials'>,
  kind: CredentialKind,
): Promise<ProviderRail['uses']> {
  const { mode } = account;
  if (mode === 'test') return 'sandbox';
  if (lacksOwnCredentials(deps, { ...account, credentials: {} }, kind)) return 'none';
  const choice = { mode, credentialId: null };
  const rail = await (kind === 'api_pix' ? deps.rails.pixFor(choice) : deps.rails.cryptoFor(choice));
  if (rail === null) return 'none';
  return deps.settings.demo ? 'sandbox' : 'installation';
}

function present(deps: Deps, own: ConnectedCredential): ProviderRail['connected'] {
  const { kind, id, sealed, createdAt, connectedBy, isByOperator, checkedAt, checkResult } = own;
  const provider = providerOf(openCredentials(deps, kind, { id, sealed }));
  return { provider, createdAt, connectedBy, isByOperator, checkedAt, checkResult };
}

async function inFlightOf(deps: Deps, accountId: string, kind: CredentialKind, own: ConnectedCredential | null) {
  const { pool } = deps.db;
  const all = await listCredentialsOf(deps.db, accountId, kind);
  const others = [...new Set(all.map(({ railId }) => railId))].filter((railId) => railId !== own?.railId);
  const count = (railId: string, before: Date | null) =>
    countInFlight(pool, { accountId, rail: ownRailName(railId), before });
  const earlier = await Promise.all([
    ...others.map((railId) => count(railId, null)),
    ...(own && own.railId !== own.id ? [count(own.railId, own.createdAt)] : []),
  ]);
  return { inFlight: own ? await count(own.railId, null) : NOTHING, earlierInFlight: earlier.reduce(add, NOTHING) };
}

const NOTHING: InFlight = { charges: 0, invoices: 0, withdrawals: 0, refunds: 0, disputes: 0 };

const add = (one: InFlight, other: InFlight): InFlight => ({
  charges: one.charges + other.charges,
  invoices: one.invoices + other.invoices,
  withdrawals: one.withdrawals + other.withdrawals,
  refunds: one.refunds + other.refunds,
  disputes: one.disputes + other.disputes,
});
