import { Button, Card, Group, NativeSelect, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import type { WebhooksOutput } from '#contract/webhooks/webhooks.ts';
import { DELIVERY_STATUSES, TOPICS } from '#domain/webhooks/events.ts';
import { api } from '#panel/api.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import classes from './delivery-log.module.css';
import { DeliveryTable } from './delivery-table.tsx';
import { deliveriesInput, LOG_ADDRESS } from './log-filters.ts';
import { useResendFailed } from './use-resend-failed.ts';

/** The newest page is looked at again by itself; whoever reads further back is left in peace. */
const REFRESH_MS = 10_000;

/** Every event and its outcome, the newest first. */
export function DeliveryLog({ overview }: { overview: WebhooksOutput | undefined }) {
  const t = useTranslations('panel.webhooks.log');
  const [filters, filter] = useQueryStates(LOG_ADDRESS);
  const deliveries = api.webhooks.deliveries.useInfiniteQuery(deliveriesInput(filters), {
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFRESH_MS),
  });
  const filtered = Object.keys(deliveriesInput(filters)).length > 0;
  return (
    <Section plain title={t('title')} id="log" aside={<Filters />}>
      <ResendAll overview={overview} />
      <QueryState
        query={deliveries}
        skeleton={<WaitingRows count={6} />}
        isEmpty={({ pages }) => pages[0]?.deliveries.length === 0}
        empty={
          <Card withBorder>
            {filtered ? (
              <EmptyState
                title={t('nothingFound')}
                action={
                  <Button variant="default" size="sm" onClick={() => filter(null)}>
                    {t('clearFilters')}
                  </Button>
                }
              />
            ) : (
              <Nothing overview={overview} />
            )}
          </Card>
        }
      >
        {({ pages }) => (
          <Stack gap="sm" className={classes.log} data-stale={deliveries.isPlaceholderData}>
            <DeliveryTable deliveries={pages.flatMap((page) => page.deliveries)} />
            {deliveries.hasNextPage && (
              <Group justify="center">
                <Button
                  variant="default"
                  loading={deliveries.isFetchingNextPage}
                  onClick={() => deliveries.fetchNextPage()}
                >
                  {t('more')}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </QueryState>
    </Section>
  );
}

function Filters() {
  const t = useTranslations('panel.webhooks');
  const [{ status, topico: topic }, filter] = useQueryStates(LOG_ADDRESS);
  return (
    <Group gap="xs" className={classes.filters}>
      <NativeSelect
        size="xs"
        aria-label={t('log.status')}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ status: DELIVERY_STATUSES.find((one) => one === value) ?? null })
        }
        data={[
          { value: '', label: t('log.anyStatus') },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: t(`log.statuses.${value}`) })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={t('log.topic')}
        value={topic ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ topico: TOPICS.find((one) => one === value) ?? null })}
        data={[
          { value: '', label: t('log.anyTopic') },
          ...TOPICS.map((value) => ({ value, label: t(`topics.${value}`) })),
        ]}
      />
    </Group>
  );
}

/** What was given up lately can be sent again in one go. */
function ResendAll({ overview }: { overview: WebhooksOutput | undefined }) {
  const t = useTranslations('panel.webhooks.log');
  const resend = useResendFailed();
  if (!overview || overview.failed === 0) return null;
  return (
    <Group gap="sm" className={classes.failed}>
      <span>{t(overview.failed_is_more ? 'failedMore' : 'failed', { count: overview.failed })}</span>
      <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.start()}>
        {t('resendAll')}
      </Button>
    </Group>
  );
}

/** What to do before there can be anything here. */
function Nothing({ overview }: { overview: WebhooksOutput | undefined }) {
  const t = useTranslations('panel.webhooks.log');
  const hasUrl = overview?.endpoints.some(({ url }) => url !== null) ?? true;
  return <EmptyState title={t('empty')} text={t(hasUrl ? 'emptyText' : 'emptyNoUrl')} />;
}
