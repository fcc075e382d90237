import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { SecurityOutput } from '#contract/members/security.ts';
import { api } from '#panel/api.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { keepFocus } from '#panel/shell/use-dialog.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { EntryButton, EntryList } from './entry-list.tsx';

/** The browsers in which a member is signed in, each of which they can end. */
export function SessionSection({ sessions }: Pick<SecurityOutput, 'sessions'>) {
  const t = useTranslations('panel.security');
  const { instantExactly } = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const onSettled = () => utils.security.get.invalidate();
  const end = api.security.endSession.useMutation({ ...notify.after(t('sessionEnded')), onSettled });
  const endOthers = api.security.endOtherSessions.useMutation({
    onSuccess: ({ ended }) => notify.done(t('sessionsEnded', { count: ended })),
    onError: notify.failed,
    onSettled,
  });
  const named = sessions.map((session) => {
    const { name, isPhone } = browserOf(session.user_agent);
    return { ...session, isPhone, name: name || t('sessionUnknown') };
  });
  return (
    <Stack gap="sm" align="flex-start">
      <EntryList
        rows={named}
        entry={({ name, isPhone, current, ip_address, created_at }) => (
          <Group gap="sm" wrap="nowrap">
            <Icon of={isPhone ? IconDeviceMobile : IconDeviceDesktop} />
            <div>
              <Group gap="2px 6px">
                <Text fz="sm" span>
                  {name}
                </Text>
                {current && <StatusBadge tone="ok" label={t('sessionCurrent')} />}
              </Group>
              <Muted fz="xs">
                {ip_address} · <When at={created_at} />
              </Muted>
            </div>
          </Group>
        )}
        aside={({ id, name, created_at: since, current }) =>
          !current && (
            <EntryButton
              label={t('sessionEnd')}
              name={t('sessionEndWhat', { what: `${name}, ${instantExactly(since)}` })}
              onClick={() => {
                keepFocus();
                end.mutate({ id });
              }}
            />
          )
        }
      />
      {sessions.length > 1 && (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('sessionsEnd')}
        </Button>
      )}
    </Stack>
  );
}

/**
 * The browser and the system that a user agent names, as far as a member needs it to recognise
 * their own; an empty name where both are unknown.
 */
function browserOf(userAgent: string | null) {
  const text = userAgent ?? '';
  const names = [BROWSERS, SYSTEMS].map((known) => known.find(([, pattern]) => pattern.test(text))?.[0]);
  return { name: names.filter(Boolean).join(' · '), isPhone: /Mobile|Android|iPhone/.test(text) };
}

// The order matters: the user agent of a browser may name later ones too, as Edge's names Chrome
// and Safari.
const BROWSERS: readonly [string, RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
];
const SYSTEMS: readonly [string, RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];
