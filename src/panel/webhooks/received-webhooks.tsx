import { Card, Skeleton, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useEventName } from './delivery-text.ts';
import { HeaderList } from './header-list.tsx';
import classes from './test-receiver.module.css';

/** Short, because the reader has just made something happen. */
const REFRESH_MS = 2_000;

/**
 * The webhooks that the built-in receiver took (at most `max`), the newest first, each with its
 * headers, its exact body and whether its signature holds.
 */
export function ReceivedWebhooks({ max }: { max?: number }) {
  const t = useTranslations('panel.webhooks.receiver');
  const query = api.webhooks.received.useQuery(undefined, { refetchInterval: REFRESH_MS });
  return (
    <section aria-labelledby="received">
      <Title order={max === undefined ? 2 : 3} fz={max === undefined ? 'md' : 'sm'} id="received" mb="xs">
        {t('title')}
      </Title>
      <Card withBorder padding={0}>
        <QueryState
          query={query}
          skeleton={<Skeleton height={42} />}
          isEmpty={({ received }) => received.length === 0}
          empty={
            <Muted px="md" py="sm" role="status">
              {t('empty')}
            </Muted>
          }
        >
          {({ received }) => (
            <ul className={`plain-list ${classes.list}`}>
              {received.slice(0, max).map(({ id, ...one }) => (
                <li key={id}>
                  <Received received={one} />
                </li>
              ))}
            </ul>
          )}
        </QueryState>
      </Card>
    </section>
  );
}

type One = { received_at: string; verified: boolean; headers: Record<string, string>; body: string };

function Received({ received: { received_at: at, verified, headers, body } }: { received: One }) {
  const t = useTranslations('panel.webhooks.receiver');
  const delivery = useTranslations('panel.webhooks.delivery');
  const nameOf = useEventName();
  const type = typeIn(body);
  return (
    <details className={classes.item}>
      <summary>
        <span>{type === null ? t('unknown') : nameOf(type)}</span>
        {type !== null && <code>{type}</code>}
        <StatusBadge tone={verified ? 'ok' : 'bad'} label={t(verified ? 'verified' : 'unverified')} />
        <Muted span fz={13} ml="auto">
          <When at={at} seconds />
        </Muted>
      </summary>
      <Stack gap={12} p="0 16px 16px">
        <HeaderList title={t('headers')} headers={headers} />
        <CodeBlock title={delivery('body')} text={body} />
      </Stack>
    </details>
  );
}

/** The type in an event's body; null where there is none. */
function typeIn(body: string): string | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown };
    return typeof type === 'string' ? type : null;
  } catch {
    return null;
  }
}
