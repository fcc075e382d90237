import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent, Suspense, useEffect, useRef } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '#panel/shell/icons.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { canStream, useDownload } from './use-download.ts';

const DownloadRunning = lazyPart(() => import('./download-running.tsx'), 'DownloadRunning');

type File = { path: string; format: 'pt-BR' | 'iso' | null; label: 'excel' | 'programs' | 'ofx' };

/**
 * Downloads what the page shows as a file, in a format that is chosen: `path` is that of the CSV, e.g. `transactions.csv`, `ofxPath` of
 * the OFX where there is one, `query` what they are about. While it runs it shows how far it is and can be given up. Each format is a
 * plain link besides, which works alone where the browser can't read a file in pieces.
 */
export function ExportButton(props: { path: string; query: URLSearchParams; ofxPath?: string; disabled?: boolean }) {
  const { path, query, ofxPath, disabled = false } = props;
  const t = useTranslations('panel.exports');
  const { mode } = usePanel();
  const tell = useTell();
  const { progress, start, cancel } = useDownload();
  const button = useFocusBack(progress !== null);
  if (progress) {
    return (
      <Suspense fallback={null}>
        <DownloadRunning progress={progress} onCancel={cancel} />
      </Suspense>
    );
  }

  const addressOf = ({ path, format }: File) => {
    const whole = new URLSearchParams(query);
    if (format) whole.set('format', format);
    return `/export/${mode}/${path}?${whole}`;
  };
  const download = (file: File) => async (event: MouseEvent) => {
    // A click that asks for another tab means the plain link.
    if (!canStream() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    tell(await start(addressOf(file), file.path));
  };
  const files: File[] = [
    { path, format: 'pt-BR', label: 'excel' },
    { path, format: 'iso', label: 'programs' },
    ...(ofxPath ? [{ path: ofxPath, format: null, label: 'ofx' } as const] : []),
  ];
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button ref={button} variant="default" leftSection={<Icon of={IconDownload} size={16} />} disabled={disabled}>
          {t('export')}
        </Button>
      </Menu.Target>
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

/** For the button that comes back after a download: it takes the focus again, unless that went elsewhere meanwhile. */
function useFocusBack(isRunning: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    const isOver = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (isOver && document.activeElement === document.body) button.current?.focus();
  }, [isRunning]);
  return button;
}

/** Says how a download ended. */
function useTell() {
  const t = useTranslations('panel.exports');
  return (end: Awaited<ReturnType<ReturnType<typeof useDownload>['start']>>) => {
    if (end.kind === 'cancelled') return;
    if (end.kind === 'saved') {
      notifications.show({ message: t('saved', { rows: end.rows }) });
      return;
    }
    if (end.status === 401) return goToSignIn();
    const message = t(end.status === 429 ? 'busy' : end.status === 400 ? 'refused' : 'failed');
    notifications.show({ color: 'red', message, role: 'alert' });
  };
}
