import { Alert, Button, Code, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { CopyButton } from '#panel/shell/copy-button.tsx';
import { useDialog } from '#panel/shell/use-dialog.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from '../shell/icon.tsx';
import { displayKey } from './key-text.ts';
import classes from './new-key-dialog.module.css';
import { QuickStart } from './quick-start.tsx';

/** A key that was just made: it is known at this moment only. */
export type NewKey = { key: ApiKeyOutput; apiKey: string; replaced?: ApiKeyOutput };

/**
 * Shows a new key once. Only the button that says it was stored closes it, so that Escape or a
 * stray click does not lose the key.
 */
export function NewKeyDialog({ made, onStored }: { made: NewKey; onStored: () => void }) {
  const t = useTranslations('panel.keys.shown');
  const { instant } = useFormats();
  const { key, apiKey, replaced } = made;
  useDialog();
  return (
    <Modal
      opened
      onClose={onStored}
      size="lg"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={replaced ? t('rotatedTitle', { name: key.name }) : t('createdTitle')}
    >
      <Stack gap="md">
        <Alert
          color="yellow"
          variant="light"
          p="sm"
          title={t('warningTitle')}
          icon={<Icon of={IconAlertTriangle} />}
          styles={{ title: { fontWeight: 600 } }}
        >
          {t('warning')}
        </Alert>
        <Group gap="xs" align="stretch" wrap="nowrap" className={classes.keyRow}>
          <Code className={classes.key} aria-label={t('key')}>
            {apiKey}
          </Code>
          <CopyButton value={apiKey} label={t('copy')} data-autofocus flex="none" h="auto" mih={40} />
        </Group>
        {replaced && (
          <Text fz="sm">
            {replaced.state === 'retiring' && replaced.expires_at !== null
              ? t('old', { key: displayKey(replaced), at: instant(replaced.expires_at) })
              : t('oldEnded', { key: displayKey(replaced) })}
          </Text>
        )}
        <Stack gap="xs">
          <Title order={2} fz="sm">
            {t('try')}
          </Title>
          <QuickStart permissions={key.permissions} apiKey={apiKey} />
        </Stack>
        <Group justify="flex-end">
          <Button onClick={onStored}>{t('stored')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
