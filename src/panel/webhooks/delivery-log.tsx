import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import type { WebhooksOutput } from '#contract/webhooks/webhooks.ts';
import { DELIVERY_STATUSES, TOPICS } from '#domain/webhooks/events.ts';
import { api } from '#panel/api.tsx';
import { CallButton } from '#panel/shell/call-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { PAGED, PagedList, refreshNewest } from '#panel/shell/paged-list.tsx';
import { Section } from '#panel/shell/section.tsx';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { deliveriesInput, LOG_ADDRESS } from './log-filters.ts';
import { useResendFailed } from './use-resend-failed.ts';

const REFRESH_MS = 10_000;

/** Every event and its outcome, the newest first. */
export function DeliveryLog({ overview }: { overview: WebhooksOutput | undefined }) {
  const t = useTranslations('panel.webhooks.log');
  const [filters, filter] = useQueryStates(LOG_ADDRESS);
  const input = deliveriesInput(filters);
  const deliveries = api.webhooks.deliveries.useInfiniteQuery(input, {
    ...PAGED,
    refetchInterval: refreshNewest(REFRESH_MS),
  });
  const hasUrl = overview?.endpoints.some(({ url }) => url !== null) ?? true;
  return (
    <Section plain title={t('title')} id="log" aside={<Filters />}>
      {overview && overview.failed > 0 && <ResendAll overview={overview} />}
      <PagedList
        query={deliveries}
        rowsOf={(page) => page.deliveries}
        skeleton={<WaitingRows count={6} />}
        empty={
          Object.keys(input).length > 0 ? (
            <EmptyState
              title={t('nothingFound')}
              action={
                <Button variant="default" size="sm" onClick={() => filter(null)}>
                  {t('clearFilters')}
                </Button>
              }
            />
          ) : (
            // Says what to do before there can be any event.
            <EmptyState title={t('empty')} text={t(hasUrl ? 'emptyText' : 'emptyNoUrl')} />
          )
        }
        more={() => t('more')}
      >
        {(found) => <DeliveryTable deliveries={found} />}
      </PagedList>
    </Section>
  );
}

function Filters() {
  const t = useTranslations('panel.webhooks');
  const [{ status, topico: topic }, filter] = useQueryStates(LOG_ADDRESS);
  return (
    <Group gap="xs" wrap="nowrap">
      <FilterSelect
        aria-label={t('log.status')}
        any={t('log.anyStatus')}
        options={DELIVERY_STATUSES.map((value) => ({ value, label: t(`log.statuses.${value}`) }))}
        value={status}
        onChange={(chosen) => filter({ status: chosen })}
      />
      <FilterSelect
        aria-label={t('log.topic')}
        any={t('log.anyTopic')}
        options={TOPICS.map((value) => ({ value, label: t(`topics.${value}`) }))}
        value={topic}
        onChange={(topico) => filter({ topico })}
      />
    </Group>
  );
}

/** A button that sends again, all at once, what failed lately. */
function ResendAll({ overview: { failed: count, failed_is_more: isMore } }: { overview: WebhooksOutput }) {
  const t = useTranslations('panel.webhooks.log');
  const resend = useResendFailed();
  return (
    <Group gap="sm" p="8px 12px" bdrs="md" bg="var(--tone-bad-surface)" c="var(--tone-bad)" fz="sm">
      <span>{t(isMore ? 'failedMore' : 'failed', { count })}</span>
      <CallButton call={resend} input={{}} label={t('resendAll')} />
    </Group>
  );
}
