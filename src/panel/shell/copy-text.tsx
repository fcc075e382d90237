import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon } from './icons.tsx';

/** A value that people take elsewhere, with a button that copies it. `label` names it for who can't see it. */
export function CopyText({ value, label, children }: { value: string; label: string; children?: React.ReactNode }) {
  const t = useTranslations('panel.shell');
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" miw={0}>
      <span style={{ overflowWrap: 'anywhere' }}>{children ?? value}</span>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : t('copy')} withArrow>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={copy}
              aria-label={t('copyWhat', { what: label })}
              data-copied={copied}
            >
              <Icon of={copied ? IconCheck : IconCopy} size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
