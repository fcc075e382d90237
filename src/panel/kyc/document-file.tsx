import { ActionIcon, Anchor } from '@mantine/core';
import { IconFile, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import { api } from '#panel/api.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './document-slot.module.css';
import { formatBytes } from './kyc-text.ts';

/** A document that arrived: it can be opened again and, until it is submitted, deleted. */
export function DocumentFile({ document, removable = false }: { document: KycDocumentOutput; removable?: boolean }) {
  const t = useTranslations('panel.kyc.documents');
  const notify = useNotify();
  const { mode } = usePanel();
  const utils = api.useUtils();
  const { id, file_name: name } = document;
  const remove = api.kyc.removeDocument.useMutation({
    ...notify.after(t('removed', { name })),
    onSettled: () => utils.kyc.get.invalidate(),
  });
  return (
    <li className={classes.file}>
      <Icon of={IconFile} size={16} />
      <Anchor
        href={`/download/${mode}/kyc?id=${id}`}
        fz="sm"
        c="var(--tone-waiting)"
        className={classes.name}
        aria-label={t('open', { name })}
      >
        {name}
      </Anchor>
      <Muted fz="xs">{formatBytes(document.bytes, useFormats())}</Muted>
      {removable && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          loading={remove.isPending}
          onClick={() => remove.mutate({ document_id: id })}
          aria-label={t('remove', { name })}
        >
          <Icon of={IconTrash} size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
