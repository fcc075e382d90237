import { ActionIcon, Group, Menu, Progress, Stack, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Muted } from '#panel/shell/muted.tsx';
import type { MenuPlace } from '#panel/shell/opened-menu.tsx';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';
import { useFileAddress } from '#panel/use-file-address.ts';
import { Icon } from '../shell/icon.tsx';
import { type DownloadProgress, useDownload } from './use-download.ts';

type File = { path: string; format: 'pt-BR' | 'iso' | null; label: 'excel' | 'programs' | 'ofx' };

export type ExportProps = { path: string; query: URLSearchParams; ofxPath?: string };

/**
 * The formats, and the download. It is loaded when its button is pressed, so it opens by itself.
 */
export function ExportMenu({ path, query, ofxPath, target, openAt }: ExportProps & MenuPlace) {
  const t = useTranslations('panel.exports');
  const fileAddress = useFileAddress();
  const notifyEnd = useNotifyEnd();
  const { progress, start, cancel } = useDownload();
  // Not OpenedMenu: it would open by itself again when a download is over.
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    openAt.current?.focus();
    setOpened(true);
  }, [openAt]);
  useFocusBack(openAt, progress !== null);
  if (progress) return <DownloadRunning progress={progress} onCancel={cancel} />;

  const addressOf = ({ path, format }: File) => {
    const whole = new URLSearchParams(query);
    if (format) whole.set('format', format);
    return fileAddress('export', path, whole);
  };
  const download = (file: File) => async (event: MouseEvent) => {
    // A click that asks for another tab means the plain link.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    notifyEnd(await start(addressOf(file), file.path));
  };
  const files: File[] = [
    { path, format: 'pt-BR', label: 'excel' },
    { path, format: 'iso', label: 'programs' },
    ...(ofxPath ? [{ path: ofxPath, format: null, label: 'ofx' } as const] : []),
  ];
  return (
    <Menu position="bottom-end" width={280} opened={opened} onChange={setOpened}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {files.map((file) => (
          <Menu.Item key={file.label} component="a" href={addressOf(file)} download onClick={download(file)}>
            <Text fz="sm" fw={500}>
              {t(`${file.label}.title`)}
            </Text>
            <Muted fz="xs">{t(`${file.label}.text`)}</Muted>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Gives the focus back to the button after a download, unless it went elsewhere meanwhile. */
function useFocusBack(button: RefObject<HTMLElement | null>, isRunning: boolean): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    const isOver = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (isOver && document.activeElement === document.body) button.current?.focus();
  }, [button, isRunning]);
}

/** Notifies the member of how a download ended. */
function useNotifyEnd() {
  const t = useTranslations('panel.exports');
  return (end: Awaited<ReturnType<ReturnType<typeof useDownload>['start']>>) => {
    if (end.kind === 'cancelled') return;
    if (end.kind === 'saved') {
      notifications.show({ message: t('saved', { rows: end.rows }) });
      return;
    }
    if (end.status === 401) return goToSignIn();
    // Another tab has chosen another merchant.
    if (end.status === 409) return window.location.assign('/');
    const message = t(end.status === 429 ? 'busy' : end.status === 400 ? 'refused' : 'failed');
    notifications.show({ color: 'red', message, role: 'alert' });
  };
}

/** The progress of a download, and a button that cancels it. */
function DownloadRunning({ progress, onCancel }: { progress: DownloadProgress; onCancel: () => void }) {
  const t = useTranslations('panel.exports');
  const { rows, total } = progress;
  const percent = total ? Math.min(100, (rows / total) * 100) : 100;
  return (
    <Group gap={8} mih={36} wrap="nowrap">
      <Stack gap={4} miw={180}>
        <Text fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {total === null ? t('rows', { rows }) : t('rowsOf', { rows, total })}
        </Text>
        <Progress value={percent} animated={!total} size="sm" aria-label={t('running')} />
      </Stack>
      <Tooltip label={t('cancel')} withArrow>
        {/* The menu that was used is gone: the keyboard goes on here. */}
        <ActionIcon autoFocus variant="subtle" color="gray" onClick={onCancel} aria-label={t('cancel')}>
          <Icon of={IconX} size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
