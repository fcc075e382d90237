import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { LazyMenu } from '#panel/shell/lazy-menu.tsx';
import { Icon } from '../shell/icon.tsx';
import type { ExportProps } from './export-menu.tsx';

const ExportMenu = lazyPart(() => import('./export-menu.tsx'), 'ExportMenu');

/**
 * Downloads what the page shows as a file, in a chosen format. `path` is the name of the CSV, e.g.
 * `transactions.csv`, `ofxPath` that of the OFX where there is one, `query` their filters. While it
 * runs it shows its progress and can be cancelled. Each format is also a plain link, which opens in
 * another tab.
 */
export function ExportButton({ disabled = false, ...props }: ExportProps & { disabled?: boolean }) {
  const t = useTranslations('panel.exports');
  return (
    <LazyMenu
      menu={(place) => <ExportMenu {...props} {...place} />}
      button={(button) => (
        <Button {...button} variant="default" leftSection={<Icon of={IconDownload} size={16} />} disabled={disabled}>
          {t('export')}
        </Button>
      )}
    />
  );
}
