import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { LazyMenu } from '#panel/shell/lazy-menu.tsx';
import classes from './test-bar-actions.module.css';

// Loaded later, because the bar is on every page of test mode.
const SandboxMenu = lazyPart(() => import('./sandbox-menu.tsx'), 'SandboxMenu');

/** A menu in the bar of test mode: the commands for the newest charge that waits. */
export function TestBarActions() {
  const t = useTranslations('panel.sandbox.bar');
  return (
    <LazyMenu
      menu={(place) => <SandboxMenu {...place} transactionId={null} />}
      button={(props) => (
        <UnstyledButton {...props} className={classes.button} data-small-target>
          <span className={classes.long}>{t('open')}</span>
          <span className={classes.short}>{t('openShort')}</span>
          <Icon of={IconChevronDown} size={14} />
        </UnstyledButton>
      )}
    />
  );
}
