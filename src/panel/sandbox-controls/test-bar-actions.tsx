import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';
import classes from './test-bar-actions.module.css';

// The bar is on every page of test mode; the menu, with what it floats on, is loaded when it is
// first opened.
const SandboxMenu = lazyPart(() => import('./sandbox-menu.tsx'), 'SandboxMenu');

const TRANSACTION_PAGE = /^\/(?:live|test)\/transacoes\/([0-9a-f-]{36})(?:\/|$)/i;

/**
 * In the bar of test mode: what can be made to happen to the transaction that is open, or else to
 * the newest charge that waits for its payer.
 */
export function TestBarActions() {
  const t = useTranslations('panel.sandbox.bar');
  const [wanted, setWanted] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  const [, openId = null] = TRANSACTION_PAGE.exec(usePathname()) ?? [];
  const button = (
    <UnstyledButton ref={pressed} className={classes.button} aria-haspopup="menu" onClick={() => setWanted(true)}>
      <span className={classes.long}>{t('open')}</span>
      <span className={classes.short}>{t('openShort')}</span>
      <Icon of={IconChevronDown} size={14} />
    </UnstyledButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <SandboxMenu transactionId={openId} target={button} openAt={pressed} />
    </Suspense>
  );
}
