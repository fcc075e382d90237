import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { isPayoutFailure } from '#domain/withdrawals/payout-failures.ts';
import { networkName } from '#panel/payment/network-name.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { DetailSection } from './detail-section.tsx';
import { FieldList } from './field-list.tsx';
import { isMoneyOut } from './status-style.ts';

/** Who pays or who is paid, by what the account knows of them; people's numbers are masked. */
export function Parties({ detail, order }: { detail: TransactionDetailView; order: 2 | 3 }) {
  const t = useTranslations('panel.transactions.parties');
  const failures = useTranslations('panel.transactions.failures');
  const failureText = (code: string) => failures(isPayoutFailure(code) ? code : 'other');
  const {
    customer,
    pix,
    crypto,
    currency,
    type,
    status,
    failure,
    transaction_id: id,
    external_id,
  } = detail.transaction;
  const { receiver } = detail;
  // Of who paid the other account's charge nothing is known here.
  if (type === 'split_in') return null;
  const txid = id.replaceAll('-', '');
  const out = isMoneyOut(type);
  const keyType = pix?.pix_key_type?.toLowerCase() as 'cpf' | undefined;
  const copied = (value: string | null | undefined, label: string): ReactNode =>
    value ? <CopyText value={value} label={label} /> : null;
  const person = [
    [t('name'), customer?.name ?? receiver?.name],
    [t('document'), customer?.document ?? receiver?.document],
    [t('email'), customer?.email],
    [t('phone'), customer?.phone],
  ] as const;
  const fields: (readonly [string, ReactNode])[] = [
    ...person,
    [t('pixKey'), pix?.pix_key && `${pix.pix_key}${keyType ? ` (${t(`keyTypes.${keyType}`)})` : ''}`],
    [t(out ? 'walletOut' : 'walletIn'), copied(crypto?.wallet, t('walletIn'))],
    [t('memo'), copied(crypto?.memo, t('memo'))],
    [t('network'), currency && isCurrencyCode(currency) ? networkName(CURRENCIES[currency].network) : currency],
    [t('hash'), copied(crypto?.tx_hashes[0], t('hash'))],
    [t('endToEndId'), copied(pix?.end_to_end_id, t('endToEndId'))],
    [t('txid'), pix && copied(txid, t('txid'))],
    [t('externalId'), [txid, pix?.end_to_end_id].includes(external_id) ? null : copied(external_id, t('externalId'))],
    // Of a payout that its provider contradicts nobody can say yet that it failed.
    [t('failure'), status === 'failed' && failure && failureText(failure.code)],
  ];
  return (
    <DetailSection title={t(out ? 'receiver' : 'payer')} order={order}>
      <FieldList fields={fields} none={t('unknown')} />
    </DetailSection>
  );
}
