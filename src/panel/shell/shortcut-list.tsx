import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { SHORTCUTS } from './navigation.ts';
import { useDialog } from './use-dialog.ts';
import { usePanel } from './use-panel.ts';

/** Every key that does something for the member: pages that their role may not open have none. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useTranslations('panel.shell');
  const { sees } = usePanel();
  const isTop = useDialog();
  const rows = [
    { keys: 'Ctrl K', text: t('shortcutSearch') },
    { keys: '/', text: t('shortcutFilter') },
    ...SHORTCUTS.filter(({ path }) => sees(path)).map(({ keys, name }) => ({ keys, text: t(name) })),
    { keys: '?', text: t('shortcutHelp') },
  ];
  return (
    <Modal opened onClose={onClose} title={t('shortcuts')} closeOnEscape={isTop}>
      <Stack gap="xs">
        {rows.map(({ keys, text }) => (
          <Group key={keys} justify="space-between">
            <Text fz="sm">{text}</Text>
            <Group gap={4}>
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
