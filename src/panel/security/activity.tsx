import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import type { ActivityEntry } from '#contract/members/security.ts';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { DayField } from '#panel/shell/day-field.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ACTIVITY_ADDRESS, activityInput } from './activity-search.ts';
import { EntryList } from './entry-list.tsx';
import { useChangeText } from './use-change-text.ts';

/** The width of a filter: on a phone the card's. */
const NARROW = { base: '100%', xs: 200 };

/**
 * The audit log of the account: what was done to keys, logins and settings, or with money; newest
 * first, page by page, searched by what it was, who did it and when, and as a file.
 */
export function Activity() {
  const t = useTranslations('panel.security');
  const [search, setSearch] = useQueryStates(ACTIVITY_ADDRESS);
  const input = activityInput(search);
  const { kind, ...given } = input;
  const activity = api.security.activity.useInfiniteQuery(input, PAGED);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('activityKind')}
        value={kind}
        onChange={(value) => setSearch({ registros: value as AuditKind })}
        data={[
          { value: 'security', label: t('activitySecurity') },
          { value: 'money', label: t('activityMoney') },
        ]}
      />
      <Group gap="sm" align="flex-end">
        <SearchField
          size="sm"
          w={NARROW}
          label={t('activitySearch')}
          maxLength={100}
          text={search.busca}
          onChange={(busca) => setSearch({ busca })}
        />
        <SearchField
          size="sm"
          w={NARROW}
          label={t('activityWho')}
          maxLength={100}
          text={search.quem}
          onChange={(quem) => setSearch({ quem })}
          data-search={undefined}
        />
        <Group gap="sm" wrap="nowrap">
          <DayField w={150} label={t('activityFrom')} value={search.de} onChange={(de) => setSearch({ de })} />
          <DayField w={150} label={t('activityTo')} value={search.ate} onChange={(ate) => setSearch({ ate })} />
        </Group>
        <ExportButton path="activity.csv" query={new URLSearchParams(input)} />
      </Group>
      <PagedList
        query={activity}
        rowsOf={(page) => page.entries}
        skeleton={[160]}
        empty={<Text fz="sm">{t(Object.keys(given).length > 0 ? 'activityNoneFound' : 'activityNone')}</Text>}
        more={() => t('activityMore')}
      >
        {(entries) =>
          entries.length === 0 ? (
            <Text fz="sm">{t('activityFurther')}</Text>
          ) : (
            <EntryList
              rows={entries}
              entry={(entry) => <What entry={entry} />}
              aside={(entry) => <Who entry={entry} />}
            />
          )
        }
      </PagedList>
    </Stack>
  );
}

function What({ entry }: { entry: ActivityEntry }) {
  const textOf = useChangeText();
  return (
    <>
      <Act entry={entry} />
      {entry.changes.map((change) => (
        <Muted key={change.name} fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {textOf(change)}
        </Muted>
      ))}
    </>
  );
}

function Act({ entry: { action, amount, transaction_id: id } }: { entry: ActivityEntry }) {
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
