import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { LazyMenu } from '#panel/shell/lazy-menu.tsx';

const SandboxMenu = lazyPart(() => import('./sandbox-menu.tsx'), 'SandboxMenu');

/**
 * A button beside a transaction's other actions: in a drawer the bar of test mode is out of reach.
 */
export function SimulateButton({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.sandbox.bar');
  return (
    <LazyMenu
      menu={(place) => <SandboxMenu {...place} transactionId={transactionId} />}
      button={(props) => (
        <Button {...props} size="xs" variant="default" leftSection={<Icon of={IconFlask} size={14} />}>
          {t('simulate')}
        </Button>
      )}
    />
  );
}
