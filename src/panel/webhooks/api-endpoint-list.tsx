import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiEndpointOutput } from '#contract/webhooks/webhook-endpoints.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useSpan } from '#panel/transactions/use-span.ts';
import { ApiEndpointActions } from './api-endpoint-actions.tsx';
import classes from './endpoint-list.module.css';
import { EndpointUrl } from './endpoint-url.tsx';

/** The endpoints that were made over the API, with their state and actions. */
export function ApiEndpointList({ endpoints }: { endpoints: readonly ApiEndpointOutput[] }) {
  const t = useTranslations('panel.webhooks.apiEndpoints');
  if (endpoints.length === 0) return null;
  const what = ({ url, description, event_types: types }: ApiEndpointOutput) => (
    <>
      {description !== null && (
        <Text component="h3" fz="sm" fw={600}>
          {description}
        </Text>
      )}
      <EndpointUrl url={url} className={classes.url} />
      <Muted title={types?.join(', ')}>{types === null ? t('allTypes') : t('types', { count: types.length })}</Muted>
    </>
  );
  return (
    <Section plain title={t('title')}>
      <DataTable
        label={t('title')}
        rows={endpoints}
        keyOf={({ endpoint_id: id }) => id}
        classes={classes}
        columns={[
          { name: 'what', cell: what, isHead: true },
          { name: 'state', cell: (endpoint) => <State endpoint={endpoint} /> },
          { name: 'actions', cell: (endpoint) => <ApiEndpointActions endpoint={endpoint} /> },
        ]}
      />
    </Section>
  );
}

/** The state of an endpoint, and when it last got an event. */
function State({ endpoint }: { endpoint: ApiEndpointOutput }) {
  const t = useTranslations('panel.webhooks.apiEndpoints');
  const last = endpoint.last_delivered_at;
  return (
    <>
      <StateBadge endpoint={endpoint} />
      <Muted>{last === null ? t('neverDelivered') : t.rich('lastDelivered', { when: () => <When at={last} /> })}</Muted>
    </>
  );
}

function StateBadge({ endpoint }: { endpoint: ApiEndpointOutput }) {
  const t = useTranslations('panel.webhooks.apiEndpoints.states');
  const since = useSpan();
  const { disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince } = endpoint;
  if (disabledAt !== null && reason !== 'merchant') {
    const hint = t(reason === 'failing' ? 'givenUpHint' : 'goneHint');
    return <StatusBadge tone="bad" label={t('gone', { since: since(disabledAt) })} hint={hint} />;
  }
  if (disabledAt !== null) return <StatusBadge tone="neutral" label={t('off', { since: since(disabledAt) })} />;
  if (failingSince !== null)
    return <StatusBadge tone="warn" label={t('failing', { since: since(failingSince) })} hint={t('failingHint')} />;
  return <StatusBadge tone="ok" label={t('on')} />;
}
