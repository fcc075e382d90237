import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Amount } from '#panel/money/amount.tsx';
import { WalletText } from '#panel/withdraw/wallet-text.tsx';
import { type ApprovalRequest, approvalOf } from './approval.ts';
import classes from './approval-summary.module.css';
import { Muted } from './muted.tsx';

/** What the second factor is asked for: the action, the amount and who receives it. */
export function ApprovalSummary({ request }: { request: ApprovalRequest }) {
  const t = useTranslations('panel.shell.confirm');
  const { action, reais, subject } = approvalOf(request);
  if (action === null) return null;
  return (
    <section className={classes.summary} aria-label={t('approving')}>
      <Muted fz="xs">{t('approving')}</Muted>
      <Text fw={600}>{t(`actions.${action}`)}</Text>
      {reais !== null && <Amount reais={reais} size="lg" />}
      {subject !== null && (
        <div className={classes.subject}>{action === 'sendCrypto' ? <WalletText wallet={subject} /> : subject}</div>
      )}
    </section>
  );
}
