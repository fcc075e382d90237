'use client';

import { Button, Card, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { useEffect, useState } from 'react';
import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/requests/request-log.ts';
import { api } from '#panel/api.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { DocsButton, LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { REQUESTS_ADDRESS, requestsInput } from './request-filters.ts';
import { RequestTable } from './request-table.tsx';
import classes from './requests-page.module.css';

/** The newest page is looked at again by itself; whoever reads further back is left in peace. */
const REFRESH_MS = 5_000;
/** Between the last key and the search for what was typed. */
const PAUSE_MS = 300;

/**
 * What the account's systems asked over the API in the last seven days, and what they were
 * answered.
 */
export function RequestsPage() {
  const t = useTranslations('panel.requests');
  const { id, close } = useOpened('requisicao');
  const docs = <DocsButton label={t('docs')} />;
  return (
    <Page title={t('title')} description={t('description')} actions={docs} wide>
      <Stack gap="sm">
        <Filters />
        <Requests />
      </Stack>
      <RequestDrawer id={id} onClose={close} />
    </Page>
  );
}

function Requests() {
  const t = useTranslations('panel.requests');
  const [filters] = useQueryStates(REQUESTS_ADDRESS);
  const filtered = Object.keys(requestsInput(filters)).length > 0;
  const requests = api.requests.list.useInfiniteQuery(requestsInput(filters), {
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFRESH_MS),
  });
  return (
    <QueryState
      query={requests}
      skeleton={<WaitingRows count={8} />}
      isEmpty={({ pages }) => pages.every((page) => page.requests.length === 0) && !requests.hasNextPage}
      empty={<Card withBorder>{filtered ? <NothingFound /> : <NothingYet />}</Card>}
    >
      {({ pages }) => {
        const found = pages.flatMap((page) => page.requests);
        return (
          <Stack gap="sm" className={classes.list} data-stale={requests.isPlaceholderData}>
            {found.length > 0 && <RequestTable requests={found} />}
            <Group justify="center" mih={36}>
              {requests.hasNextPage ? (
                <Button
                  variant="default"
                  loading={requests.isFetchingNextPage}
                  onClick={() => requests.fetchNextPage()}
                >
                  {t(found.length > 0 ? 'more' : 'searchOn')}
                </Button>
              ) : (
                <Muted>{t('end')}</Muted>
              )}
            </Group>
          </Stack>
        );
      }}
    </QueryState>
  );
}

function Filters() {
  const t = useTranslations('panel.requests.filters');
  const [filters, filter] = useQueryStates(REQUESTS_ADDRESS);
  const filtered = Object.keys(requestsInput(filters)).length > 0;
  const keys = api.keys.list.useQuery(undefined, { staleTime: 60_000 });
  const [text, setText] = useState(filters.texto);
  const search = useDebouncedCallback((value: string) => filter({ texto: value.trim() || null }), PAUSE_MS);
  // Back, or a link, may have changed it from outside.
  useEffect(() => setText((typed) => (typed.trim() === filters.texto ? typed : filters.texto)), [filters.texto]);
  return (
    <section aria-label={t('label')} className={classes.filters}>
      <NativeSelect
        size="xs"
        label={t('key')}
        value={filters.chave ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ chave: value || null })}
        data={[
          { value: '', label: t('allKeys') },
          ...(keys.data?.keys ?? []).map((key) => ({ value: key.key_id, label: `${key.name} ····${key.last_four}` })),
        ]}
      />
      <NativeSelect
        size="xs"
        label={t('method')}
        value={filters.metodo ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ metodo: REQUEST_METHODS.find((one) => one === value) ?? null })
        }
        data={[{ value: '', label: t('allMethods') }, ...REQUEST_METHODS]}
      />
      <NativeSelect
        size="xs"
        label={t('status')}
        value={filters.status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ status: STATUS_CLASSES.find((one) => one === value) ?? null })
        }
        data={[
          { value: '', label: t('allStatuses') },
          ...STATUS_CLASSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
        ]}
      />
      <TextInput
        size="xs"
        label={t('text')}
        placeholder={t('textPlaceholder')}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          search(value);
        }}
        type="search"
        maxLength={100}
        spellCheck={false}
        className={classes.text}
        data-search
      />
      {filtered && (
        <Button size="xs" variant="subtle" onClick={() => filter(null)}>
          {t('clear')}
        </Button>
      )}
    </section>
  );
}

function NothingFound() {
  const t = useTranslations('panel.requests');
  const [, filter] = useQueryStates(REQUESTS_ADDRESS);
  return (
    <EmptyState
      title={t('nothing.title')}
      text={t('nothing.text')}
      action={
        <Button variant="default" size="sm" onClick={() => filter(null)}>
          {t('filters.clear')}
        </Button>
      }
    />
  );
}

function NothingYet() {
  const t = useTranslations('panel.requests.empty');
  const { href } = usePanel();
  return (
    <EmptyState
      title={t('title')}
      text={t('text')}
      action={<LinkButton href={href('/chaves')} size="sm" label={t('action')} />}
    />
  );
}
