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
import { EntryList } from './entry-list.tsx';

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
            <EntryList
              rows={pages.flatMap(({ entries }) => entries)}
              keyOf={({ id }) => id}
              entry={(entry) => <What entry={entry} />}
              aside={(entry) => <Who entry={entry} />}
            />
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

function What({ entry: { action, amount, transaction_id: id } }: { entry: ActivityEntry }) {
  const t = useTranslations('panel.security.actions');
  const formats = useFormats();
  const { href } = usePanel();
  const key = action.replaceAll('.', '_') as 'other';
  const text = t.has(key) ? t(key) : t('other');
  const what = amount === null ? text : `${text}: ${formats.reais(amount)}`;
  return id === null ? <Text fz="sm">{what}</Text> : <TextLink href={href(`/transacoes/${id}`)} label={what} />;
}

function Who({ entry: { by, name, ip_address: address, at } }: { entry: ActivityEntry }) {
  const t = useTranslations('panel.security');
  const who = {
    you: t('you'),
    member: name ?? t('other'),
    key: name === null ? t('key') : t('keyNamed', { name }),
    operator: t('operator'),
    unknown: address ?? '',
  }[by];
  return (
    <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {who && `${who} · `}
      <When at={at} />
    </Muted>
  );
}
