import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';
import type { ExportProps } from './export-menu.tsx';

const ExportMenu = lazyPart(() => import('./export-menu.tsx'), 'ExportMenu');

/**
 * Downloads what the page shows as a file, in a format that is chosen: `path` is that of the CSV,
 * e.g. `transactions.csv`, `ofxPath` of the OFX where there is one, `query` what they are about.
 * While it runs it shows how far it is and can be given up. Each format is a plain link besides,
 * which works alone where the browser can't read a file in pieces.
 */
export function ExportButton({ disabled = false, ...props }: ExportProps & { disabled?: boolean }) {
  const t = useTranslations('panel.exports');
  const [isWanted, setWanted] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  const button = (
    <Button
      ref={pressed}
      variant="default"
      leftSection={<Icon of={IconDownload} size={16} />}
      disabled={disabled}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      {t('export')}
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <ExportMenu {...props} target={button} openAt={pressed} />
    </Suspense>
  );
}
