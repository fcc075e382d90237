import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReconciledDayView, ReconciliationItemView } from '#contract/reconciliation/reconciliation.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DayBadge } from './day-badge.tsx';
import { DayFigures } from './day-figures.tsx';
import { ItemTable } from './item-table.tsx';

type Props = {
  day: ReconciledDayView;
  items: readonly ReconciliationItemView[];
  /** The address of a transaction's page; null: there is none where this is shown. */
  hrefOf: ((transactionId: string) => string) | null;
};

/** What the PSP has of a day beside what was booked here, and what differs. */
export function ReconciledDay({ day, items, hrefOf }: Props) {
  const t = useTranslations('panel.reconciliation');
  return (
    <Stack gap="xl">
      <Head day={day} />
      {day.checked_at ? (
        <>
          <Section
            title={t('day.figures')}
            text={t(day.asset === 'BRL' ? 'day.figuresText' : 'coins.figuresText')}
            plain
          >
            <DayFigures day={day} />
          </Section>
          <Items day={day} items={items} hrefOf={hrefOf} />
        </>
      ) : (
        <Muted>{t('hints.waiting')}</Muted>
      )}
    </Stack>
  );
}

function Head({ day }: { day: ReconciledDayView }) {
  const t = useTranslations('panel.reconciliation');
  const formats = useFormats();
  return (
    <Stack gap={4}>
      <Group gap="sm" align="center">
        <Text fz="lg" fw={600}>
          {day.asset === 'BRL' ? formats.dayName(day.day) : `${formats.dayName(day.day)} · ${day.currency}`}
        </Text>
        <DayBadge day={day} />
      </Group>
      {day.checked_at && <Muted>{t('day.checkedAt', { at: formats.instant(day.checked_at) })}</Muted>}
      {day.acknowledged && (
        <Text fz="sm">
          {t('day.noted', { at: formats.instant(day.acknowledged.at), reason: day.acknowledged.reason })}
        </Text>
      )}
      {day.unreadable > 0 && <Text fz="sm">{t('day.unreadable', { count: day.unreadable })}</Text>}
    </Stack>
  );
}

const EXPLAINED: readonly ReconciliationItemView['reason'][] = ['other_day', 'before', 'foreign', 'remainder'];

/** What nothing explains first, then what is explained. */
function Items({ day, items, hrefOf }: Props) {
  const t = useTranslations('panel.reconciliation.day');
  const isExplained = ({ reason }: ReconciliationItemView) => EXPLAINED.includes(reason);
  const unexplained = items.filter((item) => !isExplained(item));
  const explained = items.filter(isExplained);
  return (
    <>
      <Section title={t('unexplained')} text={t('unexplainedText')} plain>
        {unexplained.length === 0 ? (
          <Muted>{t('nothing')}</Muted>
        ) : (
          <ItemTable items={unexplained} label={t('unexplained')} asset={day.asset} hrefOf={hrefOf} />
        )}
      </Section>
      {explained.length > 0 && (
        <Section title={t('explained')} text={t('explainedText')} plain>
          <ItemTable items={explained} label={t('explained')} asset={day.asset} hrefOf={hrefOf} />
        </Section>
      )}
      {items.length < day.item_count && <Muted>{t('shown', { shown: items.length, all: day.item_count })}</Muted>}
    </>
  );
}
