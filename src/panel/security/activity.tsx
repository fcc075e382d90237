import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ActivityEntry } from '#contract/members/security.ts';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
import { api } from '#panel/api.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** What was done to keys, logins and settings, or with money: newest first, page by page. */
export function Activity() {
  const t = useTranslations('panel.security');
  const [kind, setKind] = useState<AuditKind>('security');
  const activity = api.security.activity.useInfiniteQuery(
    { kind },
    { getNextPageParam: (page) => page.next_cursor, placeholderData: (previous) => previous },
  );
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('activityKind')}
        value={kind}
        onChange={(value) => setKind(value as AuditKind)}
        data={[
          { value: 'security', label: t('activitySecurity') },
          { value: 'money', label: t('activityMoney') },
        ]}
      />
      <QueryState
        query={activity}
        skeleton={[160]}
        isEmpty={({ pages }) => pages.every(({ entries }) => entries.length === 0)}
        empty={<Text fz="sm">{t('activityNone')}</Text>}
      >
        {({ pages }) => (
          <>
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {pages
                .flatMap(({ entries }) => entries)
                .map((entry) => (
                  <ActivityRow key={entry.id} entry={entry} />
                ))}
            </Stack>
            {activity.hasNextPage && (
              <Group justify="center">
                <Button
                  variant="default"
                  loading={activity.isFetchingNextPage}
                  onClick={() => void activity.fetchNextPage()}
                >
                  {t('activityMore')}
                </Button>
              </Group>
            )}
          </>
        )}
      </QueryState>
    </Stack>
  );
}

function ActivityRow({ entry }: { entry: ActivityEntry }) {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const { href } = usePanel();
  const { action, by, name, ip_address: address, amount, transaction_id: id, at } = entry;
  const key = action.replaceAll('.', '_') as 'other';
  const text = t.has(`actions.${key}`) ? t(`actions.${key}`) : t('actions.other');
  const what = amount === null ? text : `${text}: ${formats.reais(amount)}`;
  const who = {
    you: t('you'),
    member: name ?? t('other'),
    key: name === null ? t('key') : t('keyNamed', { name }),
    operator: t('operator'),
    unknown: address ?? '',
  }[by];
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="baseline">
      {id === null ? <Text fz="sm">{what}</Text> : <TextLink href={href(`/transacoes/${id}`)} label={what} />}
      <Muted fz="xs" ta="right" style={{ overflowWrap: 'anywhere' }}>
        {who && `${who} · `}
        <When at={at} />
      </Muted>
    </Group>
  );
}
