'use client';

import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import { Page } from '#panel/shell/page.tsx';
import { SentWithdrawal } from './sent-withdrawal.tsx';
import { WithdrawForm } from './withdraw-form.tsx';

/**
 * Sacar: the form, then its outcome. The address says which (`?saque=<id>`), so that a reload shows
 * the same.
 */
export function WithdrawPage() {
  const t = useTranslations('panel.withdraw');
  const [sent, setSent] = useQueryState('saque');
  return (
    <Page title={t('title')} description={sent ? undefined : t('description')}>
      {sent ? <SentWithdrawal key={sent} transactionId={sent} /> : <WithdrawForm onSent={setSent} />}
    </Page>
  );
}
