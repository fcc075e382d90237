'use client';

import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Page } from '#panel/shell/page.tsx';
import { SentWithdrawal } from './sent-withdrawal.tsx';
import { WithdrawForm } from './withdraw-form.tsx';

/**
 * Sacar: the form, then its outcome. The address says which (`?saque=<id>`), so that a reload shows
 * the same.
 */
export function WithdrawPage() {
  const t = useTranslations('panel.withdraw');
  const sent = useSearchParams().get('saque');
  return (
    <Page title={t('title')} description={sent ? undefined : t('description')}>
      {sent ? <SentWithdrawal key={sent} transactionId={sent} /> : <WithdrawForm />}
    </Page>
  );
}
