import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { CURRENCIES, CURRENCY_CODES, type CurrencyCode } from '#domain/quotes/currencies.ts';
import type { Deps } from '../deps.ts';
import { lacksOwnCredentials } from '../providers/require-own-credentials.ts';

export type OfferedCurrency = {
  code: CurrencyCode;
  name: string;
  asset: string;
  network: string;
  /** The least a deposit may be, in 10^-8 of a coin. */
  minimumUnits: bigint;
};

/**
 * The currencies this account can use now. Errors: unavailable, when the processor does not answer.
 */
export async function listCurrencies(deps: Deps, account: AccountTerms): Promise<OfferedCurrency[]> {
  if (lacksOwnCredentials(deps, account, 'plisio')) return [];
  const rail = await deps.rails.cryptoFor({ mode: account.mode, credentialId: account.credentials.plisio ?? null });
  if (!rail) return [];
  const info = await deps.rails.currenciesOf(rail).all();
  if (info.outcome !== 'done') throw new DomainError('unavailable', { cause: info.reason });
  const byCode = new Map(info.value.map((info) => [info.code, info]));
  return CURRENCY_CODES.flatMap((code) => {
    const info = byCode.get(code);
    const { name, asset, network } = CURRENCIES[code];
    return info?.active ? [{ code, name, asset, network, minimumUnits: info.minimumUnits }] : [];
  });
}
