import { ActionIcon, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon } from './icon.tsx';
import { useHint } from './use-hint.tsx';

/**
 * A value that people take elsewhere, with a button that copies it. `label` names it for who can't
 * see it.
 */
export function CopyText({ value, label, children }: { value: string; label: string; children?: React.ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" miw={0}>
      <span style={{ overflowWrap: 'anywhere' }}>{children ?? value}</span>
      <CopyButton value={value}>
        {({ copied, copy }) => <CopyIcon copied={copied} onCopy={copy} label={label} />}
      </CopyButton>
    </Group>
  );
}

function CopyIcon({ copied, onCopy, label }: { copied: boolean; onCopy: () => void; label: string }) {
  const t = useTranslations('panel.shell');
  const { props, hint } = useHint<HTMLButtonElement>(t(copied ? 'copied' : 'copy'));
  return (
    <>
      <ActionIcon
        {...props}
        variant="subtle"
        color="gray"
        size="sm"
        onClick={onCopy}
        aria-label={t('copyWhat', { what: label })}
        data-copied={copied}
      >
        <Icon of={copied ? IconCheck : IconCopy} size={14} />
      </ActionIcon>
      {hint}
    </>
  );
}
