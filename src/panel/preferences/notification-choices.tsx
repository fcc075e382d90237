import { Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { NOTIFICATIONS, type Notification } from '#domain/members/notifications.ts';
import { api } from '#panel/api.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useSaved } from './use-saved.ts';

/** What the member is notified of by e-mail. */
export function NotificationChoices({ wanted }: { wanted: Record<Notification, boolean> }) {
  const t = useTranslations('panel.preferences');
  const setNotification = api.preferences.setNotification.useMutation(useSaved());
  const pending = setNotification.isPending ? setNotification.variables : null;
  return (
    <Stack gap="sm">
      {NOTIFICATIONS.map((name) => (
        <Switch
          key={name}
          label={t(`names.${name}`)}
          checked={pending?.notification === name ? pending.wanted : wanted[name]}
          onChange={({ currentTarget }) =>
            setNotification.mutate({ notification: name, wanted: currentTarget.checked })
          }
        />
      ))}
      <Muted>{t('always')}</Muted>
    </Stack>
  );
}
