import { ActionIcon, Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { formatBytes } from './format-bytes.ts';
import type { Upload } from './use-uploads.ts';

/** A file that is being uploaded, or why it was rejected. */
export function UploadLine(props: { upload: Upload; countMax: number; onDismiss: () => void }) {
  const { upload, countMax, onDismiss } = props;
  const t = useTranslations('panel.uploads');
  const formats = useFormats();
  const { name, issue, progress } = upload;
  if (issue === null) {
    const percent = Math.round(progress * 100);
    return (
      <div>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Progress.Root size="sm" mt={4}>
          <Progress.Section value={percent} aria-label={t('progress', { name })} />
        </Progress.Root>
        <VisuallyHidden role="status">{t('uploading')}</VisuallyHidden>
      </div>
    );
  }
  const key = `issues.${issue}` as 'issues.other';
  const params = { size: formatBytes(FILE_BYTES_MAX, formats), count: countMax };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" role="alert">
      <Text fz="sm" c="var(--tone-bad)" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <strong>{t('notSent', { name })}.</strong> {t(t.has(key) ? key : 'issues.other', params)}
      </Text>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={onDismiss} aria-label={t('dismiss')}>
        <Icon of={IconX} size={14} />
      </ActionIcon>
    </Group>
  );
}
