import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { EndpointActions, editButtonId } from './endpoint-actions.tsx';
import classes from './endpoint-list.module.css';
import { EndpointState } from './endpoint-state.tsx';
import { EndpointUrl } from './endpoint-url.tsx';

const EndpointForm = lazyPart(() => import('./endpoint-form.tsx'), 'EndpointForm');

/** The destination of each topic, with its state and actions; one at a time is edited. */
export function EndpointList({ endpoints }: { endpoints: readonly EndpointOutput[] }) {
  const t = useTranslations('panel.webhooks');
  const [editing, setEditing] = useState<Topic | null>(null);
  const form = (endpoint: EndpointOutput) => (
    <Suspense fallback={null}>
      <EndpointForm
        endpoint={endpoint}
        empty={endpoints.filter(({ topic, url }) => url === null && topic !== endpoint.topic)}
        onClose={() => {
          setEditing(null);
          requestAnimationFrame(() => document.getElementById(editButtonId(endpoint.topic))?.focus());
        }}
      />
    </Suspense>
  );
  const what = ({ topic, url }: EndpointOutput) => (
    <>
      <Text component="h3" fz="sm" fw={600}>
        {t(`topics.${topic}`)}
      </Text>
      {url === null ? (
        <Muted>{t(`endpoints.events.${topic}`)}</Muted>
      ) : (
        <EndpointUrl url={url} className={classes.url} />
      )}
    </>
  );
  return (
    <Section plain title={t('endpoints.title')}>
      <DataTable
        label={t('endpoints.title')}
        rows={endpoints}
        keyOf={({ topic }) => topic}
        classes={classes}
        instead={(endpoint) => endpoint.topic === editing && form(endpoint)}
        columns={[
          { name: 'what', cell: what, isHead: true },
          { name: 'state', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          {
            name: 'actions',
            cell: (endpoint) => <EndpointActions endpoint={endpoint} onEdit={() => setEditing(endpoint.topic)} />,
          },
        ]}
      />
    </Section>
  );
}
