import { Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { assistantConfig } from './assistant-config.ts';
import classes from './quick-start.module.css';

/** The configuration for an assistant's program, with a placeholder where the key is unknown. */
export function AssistantSetup({ apiKey }: { apiKey?: string | undefined }) {
  const t = useTranslations('panel.keys.quickStart');
  const { origin } = usePanel();
  const placeholder = t('keyPlaceholder');
  const code = assistantConfig(origin, apiKey ?? placeholder);
  return (
    <Stack gap="xs">
      <Text fz="sm">{t('assistant')}</Text>
      <Group justify="flex-end">
        <CopyButton value={code} label={t('copy')} size="xs" />
      </Group>
      <Code block className={classes.code} tabIndex={0}>
        {code}
      </Code>
      {apiKey === undefined && <Muted fz="xs">{t('placeholder', { placeholder })}</Muted>}
    </Stack>
  );
}
