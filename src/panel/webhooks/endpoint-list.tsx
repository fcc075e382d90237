import { Card } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { EndpointOutput } from '#contract/webhooks/webhooks.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Section } from '#panel/shell/section.tsx';
import { editButtonId } from './edit-button-id.ts';
import classes from './endpoint-list.module.css';
import { EndpointRow } from './endpoint-row.tsx';

const EndpointForm = lazyPart(() => import('./endpoint-form.tsx'), 'EndpointForm');

/** The destination of each topic, one under the other; one at a time can be changed. */
export function EndpointList({ endpoints }: { endpoints: readonly EndpointOutput[] }) {
  const t = useTranslations('panel.webhooks.endpoints');
  const [editing, setEditing] = useState<Topic | null>(null);
  const close = (topic: Topic) => {
    setEditing(null);
    requestAnimationFrame(() => document.getElementById(editButtonId(topic))?.focus());
  };
  return (
    <Section plain title={t('title')}>
      <Card withBorder padding={0}>
        <ul className={classes.list}>
          {endpoints.map((endpoint) => (
            <li key={endpoint.topic} className={classes.item}>
              {editing === endpoint.topic ? (
                <Suspense fallback={null}>
                  <EndpointForm
                    endpoint={endpoint}
                    empty={endpoints.filter(({ topic, url }) => url === null && topic !== endpoint.topic)}
                    onClose={() => close(endpoint.topic)}
                  />
                </Suspense>
              ) : (
                <EndpointRow endpoint={endpoint} onEdit={() => setEditing(endpoint.topic)} />
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
