import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';

// The menu, with what it floats on, is loaded when it is first opened.
const SandboxMenu = lazyPart(() => import('./sandbox-menu.tsx'), 'SandboxMenu');

/**
 * Beside the other actions of a transaction: over it, in a drawer, the bar of test mode is out of
 * reach.
 */
export function SimulateButton({ transactionId }: { transactionId: string }) {
  const t = useTranslations('panel.sandbox.bar');
  const [isWanted, setWanted] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  const button = (
    <Button
      ref={pressed}
      size="xs"
      variant="default"
      leftSection={<Icon of={IconFlask} size={14} />}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      {t('simulate')}
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <SandboxMenu transactionId={transactionId} target={button} openAt={pressed} />
    </Suspense>
  );
}
