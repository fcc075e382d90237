import { ActionIcon, Progress, Text, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { Icon } from '#panel/shell/icons.tsx';
import classes from './export-button.module.css';
import type { DownloadProgress } from './use-download.ts';

/** How far a download is, and the way to give it up. */
export function DownloadRunning({ progress, onCancel }: { progress: DownloadProgress; onCancel: () => void }) {
  const t = useTranslations('panel.exports');
  const { rows, total } = progress;
  const button = useRef<HTMLButtonElement>(null);
  // The menu that was used is gone: who goes by the keyboard goes on here.
  useEffect(() => button.current?.focus(), []);
  const percent = total ? Math.min(100, (rows / total) * 100) : 100;
  return (
    <div className={classes.running}>
      <div className={classes.figures}>
        <Text fz="sm" className={classes.rows}>
          {total === null ? t('rows', { rows }) : t('rowsOf', { rows, total })}
        </Text>
        <Progress value={percent} animated={!total} size="sm" aria-label={t('running')} />
      </div>
      <Tooltip label={t('cancel')} withArrow>
        <ActionIcon ref={button} variant="subtle" color="gray" onClick={onCancel} aria-label={t('cancel')}>
          <Icon of={IconX} size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
