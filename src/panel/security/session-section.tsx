import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { Icon } from '../shell/icon.tsx';
import { browserOf } from './browser-of.ts';

type Session = {
  id: string;
  current: boolean;
  ip_address: string | null;
  user_agent: string | null;
  created_at: string;
};

/** The browsers in which a member is signed in, each of which they can end. */
export function SessionSection({ sessions }: { sessions: Session[] }) {
  const t = useTranslations('panel.security');
  const textOf = useErrorText();
  const utils = api.useUtils();
  const after = {
    onSettled: () => utils.security.get.invalidate(),
    onError: (error: unknown) => void notifications.show({ message: textOf(error), color: 'red' }),
  };
  const end = api.security.endSession.useMutation({
    ...after,
    onSuccess: () => void notifications.show({ message: t('sessionEnded'), color: 'green' }),
  });
  const endOthers = api.security.endOtherSessions.useMutation({
    ...after,
    onSuccess: ({ ended }) =>
      void notifications.show({ message: t('sessionsEnded', { count: ended }), color: 'green' }),
  });
  return (
    <Stack gap="sm" align="flex-start">
      {sessions.map(({ id, current, ip_address, user_agent, created_at }) => {
        const browser = browserOf(user_agent);
        const name = browser.name ?? t('sessionUnknown');
        return (
          <Group key={id} justify="space-between" w="100%" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Icon of={browser.isPhone ? IconDeviceMobile : IconDeviceDesktop} />
              <div>
                <Text fz="sm">
                  {name} {current && <StatusBadge tone="ok" label={t('sessionCurrent')} />}
                </Text>
                <Muted fz="xs">
                  {ip_address} · <When at={created_at} />
                </Muted>
              </div>
            </Group>
            {!current && (
              <Button
                size="xs"
                variant="default"
                aria-label={t('sessionEndWhat', { what: name })}
                onClick={() => end.mutate({ id })}
              >
                {t('sessionEnd')}
              </Button>
            )}
          </Group>
        );
      })}
      {sessions.length > 1 && (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('sessionsEnd')}
        </Button>
      )}
    </Stack>
  );
}
