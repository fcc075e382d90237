import type { AuditEntry } from '#db/audit/audit.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { addPayee, endPayeeWait, type NewPayee, type PayeeRow, removePayee } from '#db/payees/payees.ts';
import { maskPixKey } from '#domain/encryption/masked.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { PAYEE_WAIT_MS, PAYEES_MAX } from '#domain/payees/payees.ts';
import { currencyOn, type Network } from '#domain/quotes/currencies.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { parseMemo, parseWallet } from '#domain/withdrawals/wallet-address.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';
import { pixDestination, walletDestination } from './destination.ts';
import { findOwnPayee } from './list-payees.ts';

/** `pixKey`: as DICT spells it; `wallet` and `memo`: as they were typed. */
export type NewOwnPayee = { label: string } & (
  | { kind: 'pix'; pixKey: string; pixKeyType: PixKeyType }
  | { kind: 'wallet'; network: Network; wallet: string; memo: string | null }
);

/**
 * Adds a payee, which withdrawals that go to payees only may use a day later; every member of a
 * live account is notified. Errors: invalid_wallet, invalid_memo, payee_exists, payees_full.
 */
export async function addOwnPayee(deps: Deps, who: ActingMember, input: NewOwnPayee): Promise<void> {
  const { accountId, member } = who;
  const now = deps.clock();
  const id = uuidv7(now);
  const payee = {
    ...(input.kind === 'pix' ? pixPayee(deps, { ...input, id, accountId }) : walletPayee(input)),
    ...{ id, accountId, memberId: member.memberId, now, usableFrom: new Date(now.getTime() + PAYEE_WAIT_MS) },
    label: deps.secretBox.seal(input.label, sealContext('payees.label', { id })),
  };
  const { pixKey, pixKeyType } = input.kind === 'pix' ? input : { pixKey: null, pixKeyType: null };
  const { network = null, address = null, memo = null } = payee.wallet ?? {};
  const about = aboutOf({ id, pixKey, pixKeyType, network, wallet: address, memo });
  const notices = await noticesOf(deps, who, 'payee_added', input.label);
  const audit = () => ({ ...memberEntry(deps, who, 'payee.added', about), notices });
  const outcome = await addPayee(deps.db.pool, payee, PAYEES_MAX, audit);
  if (outcome === 'exists') throw new DomainError('payee_exists');
  if (outcome === 'full') throw new DomainError('payees_full');
  deps.wakeWorkers();
}

/**
 * Removes a payee at once: withdrawals that are requested or approved from now on, and that go to
 * payees only, can't use it. Errors: payee_not_found.
 */
export async function removeOwnPayee(deps: Deps, who: ActingMember, id: string): Promise<void> {
  const { accountId, member } = who;
  const payee = await findOwnPayee(deps, accountId, id);
  const removal = { id, accountId, memberId: member.memberId, now: deps.clock() };
  if (payee === null) throw new DomainError('payee_not_found');
  const notices = await noticesOf(deps, who, 'payee_removed', payee.label);
  const audit = () => ({ ...memberEntry(deps, who, 'payee.removed', aboutOf(payee)), notices });
  if (!(await removePayee(deps.db.pool, removal, audit))) throw new DomainError('payee_not_found');
  deps.wakeWorkers();
}

/**
 * Ends the wait of a payee of a test account, so that a test need not last a day. Errors:
 * invalid_state (no such payee of this account waits, or the account is live).
 */
export async function endOwnPayeeWait(deps: Deps, who: ActingMember, id: string): Promise<void> {
  const { accountId } = who;
  const isDone = await endPayeeWait(deps.db.pool, { id, accountId, now: deps.clock() }, () =>
    memberEntry(deps, who, 'payee.wait_ended', { payee_id: id }),
  );
  if (!isDone) throw new DomainError('invalid_state');
}

function pixPayee(
  deps: Deps,
  of: { id: string; accountId: string; pixKey: string; pixKeyType: PixKeyType },
): Pick<NewPayee, 'pixKey' | 'wallet' | 'destination'> {
  const { id, accountId, pixKey, pixKeyType: type } = of;
  const destination = pixDestination(deps, accountId, pixKey);
  const sealed = deps.secretBox.seal(pixKey, sealContext('payees.pix_key', { id }));
  return { pixKey: { sealed, index: destination.pixKeyIndexes[0], type }, wallet: null, destination };
}

function walletPayee(of: {
  network: Network;
  wallet: string;
  memo: string | null;
}): Pick<NewPayee, 'pixKey' | 'wallet' | 'destination'> {
  const { network } = of;
  const currency = currencyOn(network);
  const wallet = parseWallet(of.wallet, currency);
  if (wallet === null) throw new DomainError('invalid_wallet');
  const memo = of.memo === null ? null : parseMemo(of.memo, currency);
  if (of.memo !== null && memo === null) throw new DomainError('invalid_memo');
  const destination = walletDestination({ network, wallet, memo });
  return { pixKey: null, wallet: { network, address: wallet, memo }, destination };
}

/** The details for the audit. It can't be changed, so people's numbers are masked. */
const aboutOf = (
  payee: Pick<PayeeRow, 'id' | 'pixKey' | 'pixKeyType' | 'network' | 'wallet' | 'memo'>,
): AuditEntry['details'] => ({
  payee_id: payee.id,
  ...(payee.pixKey === null
    ? { network: payee.network, wallet: payee.wallet, memo: payee.memo }
    : { pix_key: maskPixKey(payee.pixKey, payee.pixKeyType) }),
});

/** Test accounts get no mail: their money is not real. */
async function noticesOf(deps: Deps, who: ActingMember, what: 'payee_added' | 'payee_removed', label: string) {
  return who.mode === 'live' ? (await prepareOwnChangeNotices(deps, who))(what, label) : [];
}
