import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { type AccountChange, AccountExists, updateAccount } from '#db/accounts/accounts.ts';
import type { AuditEntry } from '#db/audit/audit.ts';
import type { NoticeToSend } from '#db/notices/insert-notices.ts';
import type { Fee } from '#domain/accounts/fees.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import {
  auditedTerms,
  changesNothing,
  type LimitsOutlook,
  type LimitTerm,
  leavesNoAmount,
  type TermsChange,
} from '#domain/accounts/terms-change.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { parseCallbackUrl } from '#domain/webhooks/callback-url.ts';
import { TOPICS } from '#domain/webhooks/events.ts';
import { operatorEntry } from '../audit/record-audit.ts';
import { urlPolicy } from '../deps.ts';
import { prepareChangeNotices } from '../members/notify-change.ts';
import type { NotifyDeps } from '../members/notify-members.ts';
import { sealGiven } from '../providers/seal-credentials.ts';
import { sealMerchantDocument } from './merchant-document.ts';
import { type AccountDeps, AccountRejected, asRejected } from './open-account.ts';
import { prepareTermsNotices } from './prepare-terms-notices.ts';

export type SetAccountInput = Pick<AccountChange, 'merchant'> & {
  accountId: string;
  account: { currency?: string | null; spreadBps?: number; toleranceBps?: number };
  fees: { type: TransactionType; fee: Fee }[];
  limits: { name: LimitName; centavos: LimitTerm }[];
  /** Why the terms change, for their history. */
  reason?: string | null;
  /** Rails to turn on or off; the others stay as they are. */
  rails: { type: TransactionType; active: boolean }[];
  /** Set for every topic; undefined: the endpoints stay as they are. */
  webhookUrl: string | undefined;
  /** The account's own credentials with a provider; null removes them. */
  credentials: { kind: 'api_pix' | 'plisio'; value: object | null }[];
  /** Makes the audit entry of a member who changes the account; the operator's is made here. */
  audit?: (before: { currency: string | null }) => AuditEntry;
};

/**
 * Changes an account and its terms, in every process within a second; notifies the merchant of new
 * terms and of a new webhook URL. Returns false when there is no such account. Throws
 * AccountRejected.
 */
export async function setAccount(deps: AccountDeps & NotifyDeps, input: SetAccountInput): Promise<boolean> {
  const { accountId, webhookUrl } = input;
  const terms = isUuid(accountId) ? await findAccountTerms(deps.db.pool, accountId, deps.clock()) : null;
  if (!terms) return false;
  const parsed =
    webhookUrl === undefined ? null : parseCallbackUrl(webhookUrl, urlPolicy(deps, terms.mode, webhookUrl ?? ''));
  if (parsed && !parsed.ok) throw new AccountRejected('webhook_url', `The webhook URL is rejected (${parsed.reason}).`);

  const now = deps.clock();
  const change = termsOf(input);
  const check = (outlook: LimitsOutlook) => {
    if (input.limits.length === 0 || !leavesNoAmount(outlook, [change])) return;
    throw new AccountRejected('terms', 'The least amount of an operation would be above its largest.');
  };
  const credentials = await sealGiven(deps, accountId, input.credentials, now);
  const about = { merchantId: terms.merchantId, accountId };
  const noted = (before: { terms: TermsChange | null }) =>
    operatorEntry(deps, about, 'account.set', { ...auditedChange(input), ...auditedTerms(change, before.terms) });
  const audit = input.audit ?? (deps.operator === undefined ? null : noted);
  try {
    await updateAccount(deps.db, {
      accountId,
      merchant: {
        ...input.merchant,
        ...(input.merchant.document !== undefined && {
          document: sealMerchantDocument(deps, terms.merchantId, input.merchant.document),
        }),
      },
      account: { ...(input.account.currency !== undefined && { currency: input.account.currency }) },
      rails: input.rails,
      terms: changesNothing(change)
        ? null
        : { id: uuidv7(now), terms: change, reason: input.reason ?? null, by: deps.operator ?? null, check },
      endpoints:
        webhookUrl === undefined ? undefined : TOPICS.map((topic) => ({ id: uuidv7(now), topic, url: webhookUrl })),
      credentials,
      now,
      audit,
      notices: await noticesOf(deps, terms, { change, webhookUrl, now }),
    });
  } catch (error) {
    if (!(error instanceof AccountExists)) throw asRejected(error);
    throw new AccountRejected('exists', 'Another merchant has this e-mail.');
  }
  deps.wakeWorkers();
  return true;
}

/** What the members are notified of. */
async function noticesOf(
  deps: NotifyDeps,
  terms: AccountTerms,
  { change, webhookUrl, now }: { change: TermsChange; webhookUrl: string | undefined; now: Date },
): Promise<NoticeToSend[]> {
  const ofTerms = changesNothing(change) ? [] : (await prepareTermsNotices(deps, terms, 'terms_changed'))(now);
  if (webhookUrl === undefined) return ofTerms;
  const ofUrl = await prepareChangeNotices(deps, { merchantId: terms.merchantId, by: null, origin: null });
  return [...ofTerms, ...ofUrl('endpoint_set', new URL(webhookUrl).host)];
}

/** The part of the input that changes terms. */
export const termsOf = ({ account, fees, limits }: SetAccountInput): TermsChange => ({
  fees: Object.fromEntries(fees.map(({ type, fee }) => [type, fee])),
  limits: Object.fromEntries(limits.map(({ name, centavos }) => [name, centavos])),
  ...(account.spreadBps !== undefined && { spreadBps: account.spreadBps }),
  ...(account.toleranceBps !== undefined && { toleranceBps: account.toleranceBps }),
});

/** What was changed besides the terms; personal and secret fields without their values. */
const auditedChange = ({ merchant, account, rails, webhookUrl, credentials, reason }: SetAccountInput) => ({
  ...(merchant.kycStatus && { kyc: merchant.kycStatus }),
  ...(merchant.canCreateAccounts !== undefined && { can_create_accounts: merchant.canCreateAccounts }),
  ...Object.fromEntries(
    (['name', 'email', 'document'] as const).flatMap((field) =>
      merchant[field] === undefined ? [] : [[field, 'changed']],
    ),
  ),
  ...(account.currency !== undefined && { currency: String(account.currency) }),
  ...Object.fromEntries(rails.map(({ type, active }) => [`rail ${type}`, active ? 'on' : 'off'])),
  ...(webhookUrl !== undefined && { webhook_host: new URL(webhookUrl).host }),
  ...Object.fromEntries(credentials.map(({ kind, value }) => [`credential ${kind}`, value ? 'set' : 'ended'])),
  ...(reason && { reason }),
});
