import { ActionIcon, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { COPIED_MS } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { useHint } from './use-hint.tsx';

/** A value with a button that copies it. `label` names the value for screen readers. */
export function CopyText({ value, label, children }: { value: string; label: string; children?: ReactNode }) {
  const t = useTranslations('panel.shell');
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  const { props, hint } = useHint<HTMLButtonElement>(t(copied ? 'copied' : 'copy'));
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" miw={0}>
      <span style={{ overflowWrap: 'anywhere' }}>{children ?? value}</span>
      <ActionIcon
        {...props}
        variant="subtle"
        color="gray"
        size="sm"
        onClick={() => copy(value)}
        aria-label={t('copyWhat', { what: label })}
      >
        <Icon of={copied ? IconCheck : IconCopy} size={14} />
      </ActionIcon>
      {/* The hint comes to the pointer alone. */}
      <span className="visually-hidden" aria-live="polite">
        {copied && t('copied')}
      </span>
      {hint}
    </Group>
  );
}
