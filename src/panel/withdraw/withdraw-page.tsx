'use client';

import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import { LinkButton } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { SentWithdrawal } from './sent-withdrawal.tsx';
import { WithdrawForm } from './withdraw-form.tsx';

/**
 * Sacar: the form, then its outcome. The address says which (`?saque=<id>`), so that a reload shows
 * the same.
 */
export function WithdrawPage() {
  const t = useTranslations('panel.withdraw');
  const { href } = usePanel();
  const [sent, setSent] = useQueryState('saque');
  return (
    <Page
      title={t('title')}
      description={sent ? undefined : t('description')}
      actions={sent ? undefined : <LinkButton href={href('/lotes')} label={t('toBatches')} />}
    >
      {sent ? <SentWithdrawal key={sent} transactionId={sent} /> : <WithdrawForm onSent={setSent} />}
    </Page>
  );
}
