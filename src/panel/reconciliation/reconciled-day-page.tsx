'use client';

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReconciledDayView, ReconciliationItemView } from '#contract/reconciliation/reconciliation.ts';
import { api } from '#panel/api.tsx';
import { ExportButton } from '#panel/exports/export-button.tsx';
import { Link } from '#panel/link.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { DayBadge } from './day-badge.tsx';
import { DayFigures } from './day-figures.tsx';
import { ItemTable } from './item-table.tsx';

/** One day: what the PSP has of it beside what was booked here, and what differs. */
export function ReconciledDayPage({ id }: { id: string }) {
  const t = useTranslations('panel.reconciliation');
  const { href } = usePanel();
  const query = api.reconciliation.get.useQuery({ day_id: id });
  const back = (
    <Anchor component={Link} href={href('/conciliacao')} fz="sm">
      <Icon of={IconChevronLeft} size={12} /> {t('title')}
    </Anchor>
  );
  return (
    <Page
      title={t('day.title')}
      description={back}
      actions={<ExportButton path="reconciliation-items.csv" query={new URLSearchParams({ day_id: id })} />}
    >
      <QueryState query={query} skeleton={[60, 300, 160]}>
        {({ day, items }) => (
          <Stack gap="xl">
            <Head day={day} />
            {day.checked_at ? (
              <>
                <Section title={t('day.figures')} text={t('day.figuresText')} plain>
                  <DayFigures day={day} />
                </Section>
                <Items day={day} items={items} />
              </>
            ) : (
              <Muted>{t('hints.waiting')}</Muted>
            )}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Head({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation');
  const formats = useFormats();
  return (
    <Stack gap={4}>
      <Group gap="sm" align="center">
        <Text fz="lg" fw={600}>
          {formats.dayName(day.day)}
        </Text>
        <DayBadge day={day} />
      </Group>
      {day.checked_at && <Muted>{t('day.checkedAt', { at: formats.instant(day.checked_at) })}</Muted>}
      {day.unreadable > 0 && <Text fz="sm">{t('day.unreadable', { count: day.unreadable })}</Text>}
    </Stack>
  );
}

/** What nothing explains first, then what both sides have on different days. */
function Items({ day, items }: { day: ReconciledDayView; items: readonly ReconciliationItemView[] }) {
  const t = useTranslations('panel.reconciliation.day');
  const isExplained = ({ reason }: ReconciliationItemView) => reason === 'other_day' || reason === 'before';
  const unexplained = items.filter((item) => !isExplained(item));
  const explained = items.filter(isExplained);
  return (
    <>
      <Section title={t('unexplained')} text={t('unexplainedText')} plain>
        {unexplained.length === 0 ? (
          <Muted>{t('nothing')}</Muted>
        ) : (
          <ItemTable items={unexplained} label={t('unexplained')} />
        )}
      </Section>
      {explained.length > 0 && (
        <Section title={t('explained')} text={t('explainedText')} plain>
          <ItemTable items={explained} label={t('explained')} />
        </Section>
      )}
      {items.length < day.item_count && <Muted>{t('shown', { shown: items.length, all: day.item_count })}</Muted>}
    </>
  );
}
