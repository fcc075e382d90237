import { Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
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

/** Returns the configuration that most programs of assistants take: an address, and a header. */
const assistantConfig = (baseUrl: string, apiKey: string): string =>
  JSON.stringify(
    { mcpServers: { trilho: { type: 'http', url: `${baseUrl}/mcp`, headers: { 'x-api-key': apiKey } } } },
    null,
    2,
  );
