'use client';

import { Button, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/requests/request-log.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { DocsButton } from '#panel/shell/docs-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Once } from '#panel/shell/once.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList, refreshNewest } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { REQUESTS_ADDRESS, requestsInput } from './request-filters.ts';
import { RequestTable } from './request-table.tsx';
import classes from './requests-page.module.css';

const RequestDrawer = lazyPart(() => import('./request-drawer.tsx'), 'RequestDrawer');

const REFRESH_MS = 5_000;

/**
 * The requests that the account's systems sent to the API in the last seven days, and their
 * answers.
 */
export function RequestsPage() {
  const t = useTranslations('panel.requests');
  const { id, close } = useOpened('requisicao');
  const docs = <DocsButton />;
  return (
    <Page title={t('title')} description={t('description')} actions={docs} wide>
      <Stack gap="sm">
        <Filters />
        <Requests />
      </Stack>
      <Once wanted={id !== null}>
        <RequestDrawer id={id} onClose={close} />
      </Once>
    </Page>
  );
}

function useRequestFilters() {
  const [filters, filter] = useQueryStates(REQUESTS_ADDRESS);
  const input = requestsInput(filters);
  return { filters, filter, input, isFiltered: Object.keys(input).length > 0 };
}

function Requests() {
  const t = useTranslations('panel.requests');
  const { href } = usePanel();
  const { filter, input, isFiltered } = useRequestFilters();
  const requests = api.requests.list.useInfiniteQuery(input, {
    ...PAGED,
    refetchInterval: refreshNewest(REFRESH_MS),
  });
  return (
    <PagedList
      query={requests}
      rowsOf={(page) => page.requests}
      skeleton={<WaitingRows count={8} />}
      empty={
        isFiltered ? (
          <EmptyState
            title={t('nothing.title')}
            text={t('nothing.text')}
            action={
              <Button variant="default" size="sm" onClick={() => filter(null)}>
                {t('filters.clear')}
              </Button>
            }
          />
        ) : (
          <EmptyState
            title={t('empty.title')}
            text={t('empty.text')}
            action={<LinkButton href={href('/chaves')} size="sm" label={t('empty.action')} />}
          />
        )
      }
      more={({ length }) => t(length > 0 ? 'more' : 'searchOn')}
      foot={() => !requests.hasNextPage && <Muted fz={13}>{t('end')}</Muted>}
    >
      {(found) => found.length > 0 && <RequestTable requests={found} />}
    </PagedList>
  );
}

function Filters() {
  const t = useTranslations('panel.requests.filters');
  const { filters, filter, isFiltered } = useRequestFilters();
  const keys = api.keys.list.useQuery(undefined, { staleTime: 60_000 });
  return (
    <section aria-label={t('label')} className={classes.filters}>
      <FilterSelect
        label={t('key')}
        any={t('allKeys')}
        options={(keys.data?.keys ?? []).map((key) => ({
          value: key.key_id,
          label: `${key.name} ····${key.last_four}`,
        }))}
        value={filters.chave}
        onChange={(chave) => filter({ chave })}
      />
      <FilterSelect
        label={t('method')}
        any={t('allMethods')}
        options={REQUEST_METHODS.map((value) => ({ value, label: value }))}
        value={filters.metodo}
        onChange={(metodo) => filter({ metodo })}
      />
      <FilterSelect
        label={t('status')}
        any={t('allStatuses')}
        options={STATUS_CLASSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        value={filters.status}
        onChange={(status) => filter({ status })}
      />
      <SearchField
        label={t('text')}
        placeholder={t('textPlaceholder')}
        text={filters.texto}
        onChange={(text) => filter({ texto: text || null })}
        maxLength={100}
        spellCheck={false}
        className={classes.text}
      />
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={() => filter(null)}>
          {t('clear')}
        </Button>
      )}
    </section>
  );
}
