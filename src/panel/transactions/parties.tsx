import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { networkName } from '#panel/payment/network-name.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { DetailSection, type Order } from './detail-section.tsx';
import { idAtPsp } from './id-at-psp.ts';
import { isMoneyOut } from './status-style.ts';

type Props = {
  detail: TransactionDetailView;
  order: Order;
  /** The page of the payer's other payments; undefined where there is none, as in the console. */
  customerHref?: string | undefined;
};

/** The payer or the receiver, by what the account knows of them; people's numbers are masked. */
export function Parties({ detail, order, customerHref }: Props) {
  const t = useTranslations('panel.transactions.parties');
  const failures = useTranslations('panel.transactions.failures');
  const { receiver, transaction } = detail;
  const { customer, pix, crypto, currency, type, status, failure, external_id: externalId } = transaction;
  // Nothing is known here of the payer of the other account's charge.
  if (type === 'split_in') return null;
  const ownId = transaction.transaction_id.replaceAll('-', '');
  const out = isMoneyOut(type);
  const keyType = pix?.pix_key_type?.toLowerCase() as 'cpf' | undefined;
  const code = failure?.code as 'other';
  const knownFailure = failures.has(code) ? code : 'other';
  const copied = (value: string | null | undefined, label: string) => value && <CopyText value={value} label={label} />;
  const asLink = (text: string | null | undefined) =>
    text && customer?.document && customerHref !== undefined ? <TextLink href={customerHref} label={text} /> : text;
  return (
    <DetailSection title={t(out ? 'receiver' : 'payer')} order={order}>
      <FieldList
        fields={[
          [t('name'), asLink(customer?.name) ?? receiver?.name],
          [t('document'), (customer?.name ? customer.document : asLink(customer?.document)) ?? receiver?.document],
          [t('email'), customer?.email],
          [t('phone'), customer?.phone],
          [t('pixKey'), pix?.pix_key && `${pix.pix_key}${keyType ? ` (${t(`keyTypes.${keyType}`)})` : ''}`],
          [t(out ? 'walletOut' : 'walletIn'), copied(crypto?.wallet, t('walletIn'))],
          [t('memo'), copied(crypto?.memo, t('memo'))],
          [t('network'), currency && isCurrencyCode(currency) ? networkName(CURRENCIES[currency].network) : currency],
          [t('hash'), copied(crypto?.tx_hashes[0], t('hash'))],
          [t('endToEndId'), copied(pix?.end_to_end_id, t('endToEndId'))],
          [t('txid'), copied(idAtPsp(transaction), t('txid'))],
          [t('externalId'), ![ownId, pix?.end_to_end_id].includes(externalId) && copied(externalId, t('externalId'))],
          // A payout that its provider contradicts is not known to have failed.
          [t('failure'), status === 'failed' && failure && failures(knownFailure)],
        ]}
        none={t('unknown')}
        width={160}
        folds
      />
    </DetailSection>
  );
}
