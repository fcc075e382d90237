import { Button, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon, type IconShape } from './icon.tsx';

type Props = ButtonProps & { value: string; label: string; icon?: IconShape; 'data-autofocus'?: true };

/** How long it says that it was copied. */
export const COPIED_MS = 1_000;

/** Copies a value, and says that it did. */
export function CopyButton({ value, label, icon = IconCopy, ...button }: Props) {
  const t = useTranslations('panel.shell');
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  return (
    <Button
      variant="default"
      {...button}
      onClick={() => copy(value)}
      leftSection={<Icon of={copied ? IconCheck : icon} size={button.size ? 14 : 16} />}
    >
      <span aria-live="polite">{copied ? t('copied') : label}</span>
    </Button>
  );
}
