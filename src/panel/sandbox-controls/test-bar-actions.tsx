'use client';

import { UnstyledButton } from '@mantine/core';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Icon } from '#panel/shell/icons.tsx';
import { SandboxMenu } from './sandbox-menu.tsx';
import classes from './test-bar-actions.module.css';

const TRANSACTION_PAGE = /^\/(?:live|test)\/transacoes\/([0-9a-f-]{36})(?:\/|$)/i;

/**
 * In the bar of test mode: what can be made to happen to the transaction that is open, or else to the newest charge that waits for its
 * payer.
 */
export function TestBarActions() {
  const t = useTranslations('panel.sandbox.bar');
  const [, openId = null] = TRANSACTION_PAGE.exec(usePathname()) ?? [];
  const button = (
    <UnstyledButton className={classes.button} aria-label={t('label')}>
      <span className={classes.long}>{t('open')}</span>
      <span className={classes.short}>{t('openShort')}</span>
      <Icon name="down" size={14} />
    </UnstyledButton>
  );
  return <SandboxMenu transactionId={openId} target={button} />;
}
