'use client';

import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { When } from '#panel/shell/when.tsx';

type Row = { action: string; own: boolean; ip_address: string | null; at: string };

/** What was done to keys, logins and settings, newest first. */
export function Activity({ rows }: { rows: Row[] }) {
  const t = useTranslations('panel.security');
  if (rows.length === 0) return <Text fz="sm">{t('activityNone')}</Text>;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {rows.map((row, index) => {
        const key = row.action.replaceAll('.', '_') as 'other';
        // Who tried and failed is not known: the member whose sign-in it was need not be the one.
        const isTry = /\.(failed|locked|reset_requested)$/.test(row.action);
        const who = isTry ? (row.ip_address ?? '') : row.own ? t('you') : row.ip_address ? t('other') : t('operator');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is read whole, rows don't move within it.
          <Group key={index} component="li" justify="space-between" wrap="nowrap">
            <Text fz="sm">{t.has(`actions.${key}`) ? t(`actions.${key}`) : t('actions.other')}</Text>
            <Text fz="xs" c="var(--ink-muted)" ta="right">
              {who} · <When at={row.at} />
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}
