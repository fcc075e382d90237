import { ActionIcon, Anchor } from '@mantine/core';
import { IconFile, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { formatBytes } from './format-bytes.ts';
import classes from './uploaded-file.module.css';

export const UploadedFiles = ({ children }: { children: ReactNode }) => <ul className="plain-list">{children}</ul>;

type Props = {
  name: string;
  bytes: number;
  href: string;
  /** Without it the file can't be deleted. */
  removal?: { isPending: boolean; onRemove: () => void } | undefined;
};

/** An uploaded file: it can be opened and, with `removal`, deleted. */
export function UploadedFile({ name, bytes, href, removal }: Props) {
  const t = useTranslations('panel.uploads');
  return (
    <li className={classes.file}>
      <Icon of={IconFile} size={16} />
      <Anchor
        href={href}
        fz="sm"
        c="var(--tone-waiting)"
        style={{ overflowWrap: 'anywhere' }}
        aria-label={t('open', { name })}
      >
        {name}
      </Anchor>
      <Muted fz="xs">{formatBytes(bytes, useFormats())}</Muted>
      {removal && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          loading={removal.isPending}
          onClick={removal.onRemove}
          aria-label={t('remove', { name })}
        >
          <Icon of={IconTrash} size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
