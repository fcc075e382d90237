import { Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { isAgentKey } from '#domain/api-keys/permissions.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { AssistantSetup } from './assistant-setup.tsx';
import classes from './quick-start.module.css';
import { QUICK_START_LANGUAGES, type QuickStartLanguage, quickStart, taskFor } from './quick-start-code.ts';

/** Where the chosen language is stored for the next visit. */
const LANGUAGE_KEY = 'trilho-quick-start-language';
const RUN = { curl: 'runCurl', node: 'runNode', python: 'runPython' } as const;

/**
 * The code of a key's first request, or the configuration for an assistant; with a placeholder
 * unless the key is known because it was just made.
 */
export function QuickStart({ permissions, apiKey }: Props) {
  return isAgentKey(permissions) ? (
    <AssistantSetup apiKey={apiKey} />
  ) : (
    <FirstRequest permissions={permissions} {...(apiKey !== undefined && { apiKey })} />
  );
}

type Props = { permissions: ApiKeyOutput['permissions']; apiKey?: string };

function FirstRequest({ permissions, apiKey }: Props) {
  const t = useTranslations('panel.keys.quickStart');
  const { mode, me, origin } = usePanel();
  const [chosen, setLanguage] = useLocalStorage<QuickStartLanguage>({ key: LANGUAGE_KEY, defaultValue: 'curl' });
  const language = QUICK_START_LANGUAGES.find((one) => one === chosen) ?? 'curl';
  const task = taskFor(permissions);
  const placeholder = t('keyPlaceholder');
  const place = {
    baseUrl: origin,
    apiKey: apiKey ?? placeholder,
    description: t('chargeDescription'),
  };
  const code = quickStart(language, task, place);
  const charges = task === 'charge' || task === 'charge_and_look';
  return (
    <Stack gap="xs">
      <Text fz="sm">
        {t(`text.${task}`)}
        {charges && mode === 'live' && !me.demo && ` ${t('live')}`}
      </Text>
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('language')}
          value={language}
          onChange={(value) => setLanguage(value as QuickStartLanguage)}
          data={QUICK_START_LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
        <CopyButton value={code} label={t('copy')} size="xs" />
      </Group>
      <Code block className={classes.code} tabIndex={0}>
        {code}
      </Code>
      <Muted fz="xs">
        {t(RUN[language])} {apiKey === undefined && t('placeholder', { placeholder })}
      </Muted>
    </Stack>
  );
}
