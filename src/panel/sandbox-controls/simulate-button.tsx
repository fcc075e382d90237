'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Icon } from '#panel/shell/icons.tsx';
import { SandboxMenu } from './sandbox-menu.tsx';

/** Beside the other actions of a transaction: over it, in a drawer, the bar of test mode is out of reach. */
export function SimulateButton({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.sandbox.bar');
  const button = (
    <Button size="xs" variant="default" leftSection={<Icon name="sandbox" size={14} />}>
      {t('simulate')}
    </Button>
  );
  return <SandboxMenu transactionId={transactionId} target={button} />;
}
