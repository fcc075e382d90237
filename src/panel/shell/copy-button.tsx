import { Button, type ButtonProps, CopyButton as Clipboard } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon, type IconShape } from './icon.tsx';

type Props = ButtonProps & { value: string; label: string; icon?: IconShape; 'data-autofocus'?: true };

/** Copies a value, and says that it did. */
export function CopyButton({ value, label, icon = IconCopy, ...button }: Props) {
  const t = useTranslations('panel.shell');
  return (
    <Clipboard value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          {...button}
          onClick={copy}
          leftSection={<Icon of={copied ? IconCheck : icon} size={button.size ? 14 : 16} />}
        >
          <span aria-live="polite">{copied ? t('copied') : label}</span>
        </Button>
      )}
    </Clipboard>
  );
}
