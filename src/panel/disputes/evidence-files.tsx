import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { FILES_PER_DISPUTE_MAX } from '#domain/disputes/dispute-states.ts';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import { api } from '#panel/api.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { ChooseFiles } from '#panel/uploads/choose-files.tsx';
import { formatBytes } from '#panel/uploads/format-bytes.ts';
import { UploadLine } from '#panel/uploads/upload-line.tsx';
import { UploadedFile, UploadedFiles } from '#panel/uploads/uploaded-file.tsx';
import { FILES_ACCEPTED, useUploads } from '#panel/uploads/use-uploads.ts';
import { useFormats } from '#panel/use-formats.ts';

/** The evidence of a defence: the files that were uploaded, and a button for more. */
export function EvidenceFiles({ found }: { found: DisputeCaseView }) {
  const t = useTranslations('panel.disputes.files');
  const formats = useFormats();
  const utils = api.useUtils();
  const { dispute_id: disputeId } = found.dispute;
  const uploads = useUploads('dispute', () => utils.disputeCase.get.invalidate({ dispute_id: disputeId }));
  const isFull = found.files.length >= FILES_PER_DISPUTE_MAX;
  return (
    <Stack gap="xs">
      <div>
        <Text fz="sm" fw={500}>
          {t('title')}
        </Text>
        <Muted fz={13}>{t('rule', { count: FILES_PER_DISPUTE_MAX, size: formatBytes(FILE_BYTES_MAX, formats) })}</Muted>
      </div>
      <FilesOf found={found} isRemovable />
      {uploads.all.map((upload) => (
        <UploadLine
          key={upload.id}
          upload={upload}
          countMax={FILES_PER_DISPUTE_MAX}
          onDismiss={() => uploads.dismiss(upload.id)}
        />
      ))}
      <Group>
        <ChooseFiles
          size="xs"
          label={t('choose')}
          accept={FILES_ACCEPTED}
          isMultiple
          onChoose={(files) => uploads.add({ dispute: disputeId }, files)}
          disabled={isFull}
          leftSection={<Icon of={IconUpload} size={14} />}
        />
      </Group>
      <VisuallyHidden role="status">{uploads.arrived && t('arrived', { name: uploads.arrived })}</VisuallyHidden>
    </Stack>
  );
}

/** Uploaded evidence; it can be opened and, with `isRemovable`, deleted. */
export function FilesOf({ found, isRemovable = false }: { found: DisputeCaseView; isRemovable?: boolean }) {
  const t = useTranslations('panel.disputes.files');
  const { mode } = usePanel();
  const notify = useNotify();
  const utils = api.useUtils();
  const { dispute_id: disputeId } = found.dispute;
  const remove = api.disputeCase.removeFile.useMutation({
    ...notify.after(t('removed')),
    onSettled: () => utils.disputeCase.get.invalidate({ dispute_id: disputeId }),
  });
  if (found.files.length === 0) return null;
  return (
    <UploadedFiles>
      {found.files.map(({ file_id: id, file_name: name, bytes }) => (
        <UploadedFile
          key={id}
          name={name}
          bytes={bytes}
          href={`/download/${mode}/dispute?dispute=${disputeId}&id=${id}`}
          removal={
            isRemovable
              ? {
                  isPending: remove.isPending && remove.variables.file_id === id,
                  onRemove: () => remove.mutate({ dispute_id: disputeId, file_id: id }),
                }
              : undefined
          }
        />
      ))}
    </UploadedFiles>
  );
}
